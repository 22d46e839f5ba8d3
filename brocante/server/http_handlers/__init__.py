"""The handlers of HTTP requests, by resource; `routes.py` says which handles what."""
