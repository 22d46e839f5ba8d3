"""The game server: tables that many people play at, kept on disk."""
