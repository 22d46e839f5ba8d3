"""The line at the bottom: which keys do what. They can be clicked too."""

from collections.abc import Iterable

from textual.widgets import Static

from brocante.terminal.app import terminal_of

#: A key, what it is called in the catalogues, and the action it does; none where it is shown, but not possible now.
Key = tuple[str, str, str]
RULES: Key = ("?", "rules", "screen.rules")
LANGUAGE: Key = ("l", "language", "app.switch_language")
THEME: Key = ("d", "theme", "app.switch_theme")
QUIT: Key = ("q", "quit", "app.quit")


class KeyBar(Static):
    def show(self, keys: Iterable[Key]) -> None:
        say = terminal_of(self).say
        self.update(
            "   ".join(
                pressable(action, f"[b]{self._engraved(key)}[/b] {say(f'terminal.key.{name}')}")
                for key, name, action in keys
            )
        )

    def _engraved(self, key: str) -> str:
        """Names of keys in the reader's language; letters and arrows are the same in all."""
        app = terminal_of(self)
        known = {word: f"terminal.press.{word}" for word in key.split()}
        return " ".join(app.say(k) if app.language.knows(k) else word for word, k in known.items())


def pressable(action: str, words: str) -> str:
    return f"[@click={action}]{words}[/]" if action else f"[dim]{words}[/dim]"
