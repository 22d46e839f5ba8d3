"""Compiles games in the background while they are played.

Nobody waits for it: a game starts as plain Python and switches backend once its compiled rules are in the cache. If
compiling fails (no space, no permission, killed), the game goes on as it is, and the next start tries again.
"""
