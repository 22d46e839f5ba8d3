"""What travels between a server and its clients, as types: both sides import these, and nothing of each other.

`http.py` has the bodies of requests and replies, `socket_codec.py` what is said on a table's socket, `events.py`
what both of them tell of a table. The commands of players are in `brocante/table/commands.py`. docs/api.md explains
all of it.
"""
