"""The line at the bottom: which keys do what, also by mouse."""

from collections.abc import Iterable

from textual.widgets import Static

from brocante.terminal.app import terminal_of

#: A key, what it is called in the catalogues, and the action it does.
Key = tuple[str, str, str]


class Keys(Static):
    def show(self, keys: Iterable[Key]) -> None:
        say = terminal_of(self).say
        self.update(
            "   ".join(f"[@click={action}][b]{key}[/b] {say(f'terminal.key.{name}')}[/]" for key, name, action in keys)
        )
