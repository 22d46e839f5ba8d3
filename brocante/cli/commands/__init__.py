"""One module a command. Each has `command(name)`, which makes the command in the reader's language."""
