"""What differs between SQLite and PostgreSQL; everything else is the same code for both."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Protocol

from brocante.engine.errors import UsageError
from brocante.engine.text import Text
from brocante.server.storage import schema
from brocante.server.storage.installation import SCHEMA, is_number
from brocante.server.storage.witness import Tip

Heard = Callable[[str, int], None]
Missed = Callable[[], None]
Called = Callable[[str], None]


#: Rows that are copied together.
BATCH = 500


class Rows(Protocol):
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """The part of a DB-API connection that is used here; statements begin and end transactions."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Rows: ...
    def close(self) -> None: ...


class Sizes(NamedTuple):
    """Bytes: of the database, of the write-ahead log beside it, and free on the disk of both. None: not on this
    machine."""

    database: int
    wal: int | None = None
    free: int | None = None


class Database(ABC):
    """A database and its dialect. Every thread has its own connection."""

    #: Its words for the types and kinds of tables of the schema.
    WORDS: ClassVar[dict[str, str]]
    #: Whether several processes may use it at once.
    SHARED: ClassVar[bool]
    #: Begin to write, and to make the schema while nobody else does.
    BEGIN: ClassVar[str]
    BEGIN_MAKING: ClassVar[str]
    #: The errors of a value that it cannot store; no commit ever raises one of them.
    UNWRITABLE: ClassVar[tuple[type[Exception], ...]]

    #: Its name in error messages, without a password.
    name: str

    @abstractmethod
    def connect(self) -> Connection: ...

    @abstractmethod
    def connect_to_read(self) -> Connection:
        """A connection that changes nothing, and for which nothing changes any more; a UsageError in words if there is
        no database of ours."""

    @abstractmethod
    def batches(self, connection: Connection, table: str) -> Iterator[tuple[list[str], list[Any]]]:
        """All rows of a table, some at a time, and the names of their columns."""

    def is_in_use(self, connection: Connection) -> bool:
        """Whether servers use it, as far as it knows."""
        return False

    @abstractmethod
    def problems(self, connection: Connection) -> Iterator[str]:
        """What the database itself finds wrong with it, in its own words."""

    @staticmethod
    @abstractmethod
    def placeholder(number: int) -> str: ...

    @abstractmethod
    def keep_others_out(self, connection: Connection) -> None:
        """Within a transaction: let nobody else append until it ends."""

    @abstractmethod
    def tell(self, connection: Connection, appended: Sequence[tuple[str, int]]) -> None:
        """Within a transaction: notify the other processes once it is committed."""

    @abstractmethod
    def call(self, connection: Connection, words: str) -> None:
        """Say something to the other processes. Whoever does not listen at that moment never hears it."""

    def begin(self, connection: Connection) -> None:
        """Begin to write, if somebody will read it."""
        connection.execute(self.BEGIN)

    @abstractmethod
    def committed(self, connection: Connection, written: Sequence[tuple[str, int, bytes]]) -> None:
        """After a commit with these entries (table, number and hash), before anybody is told: raise an error if nobody
        will ever read them."""

    @abstractmethod
    def forget(self, tables: Iterable[str]) -> None:
        """Before a commit that deletes tables: nobody will miss them."""

    @abstractmethod
    def acknowledged(self, table: str) -> Tip | None:
        """The last entry of a table that is known to have been acknowledged."""

    @abstractmethod
    def has_learned(self, table: str) -> bool:
        """Whether another process has changed what is known to have been acknowledged of a table."""

    @abstractmethod
    def missing(self, connection: Connection) -> list[str]:
        """The tables that lack entries which were acknowledged."""

    @staticmethod
    @abstractmethod
    def is_damage(error: BaseException | None) -> bool:
        """Whether a driver's error says that the database is damaged."""

    @abstractmethod
    def tidy(self, connection: Connection) -> None:
        """Clean up after a transaction, once those who waited for it know its outcome."""

    @abstractmethod
    def sizes(self, connection: Connection) -> Sizes: ...

    @abstractmethod
    async def listen(self, heard: Heard, missed: Missed, called: Called) -> None: ...

    @abstractmethod
    async def stop_listening(self) -> None: ...

    def noted(self, connection: Connection, name: str) -> bytes:
        """What the installation has noted under a name; nothing, if that is damaged so that it is no bytes."""
        rows = connection.execute(self.statement(schema.ASK_INSTALLATION), (name,)).fetchall()
        return rows[0][0] if rows and isinstance(rows[0][0], bytes) else b""

    def version(self, connection: Connection) -> int:
        """Of its schema; 0 as long as it has none. A UsageError in words if that is damaged."""
        noted = self.noted(connection, SCHEMA)
        if noted and not is_number(noted):
            raise UsageError(Text("error.storage.version", database=self.name))
        return int(noted or 0)

    def statement(self, template: str, row: str = "", rows: int = 0) -> str:
        return _statement(type(self), template, row, rows)

    def make_schema(self) -> None:
        """Create or upgrade the tables; a UsageError in words if that is impossible."""
        try:
            connection = self.connect()
            try:
                connection.execute(self.BEGIN_MAKING)
                self._make_tables(connection)
                connection.execute("COMMIT")
            finally:
                connection.close()
        except UsageError:
            raise
        except Exception as error:  # drivers raise all kinds: a refusal, a file of another kind
            raise self.refusal(error) from error

    def refusal(self, error: Exception) -> UsageError:
        return UsageError(Text("error.storage.open", database=self.name, problem=said(error)))

    def _make_tables(self, connection: Connection) -> None:
        connection.execute(self.statement(schema.CREATE_INSTALLATION))
        version, known = self.version(connection), len(schema.VERSIONS)
        if version > known:
            raise UsageError(Text("error.storage.newer", database=self.name, version=version, known=known))
        for template in chain.from_iterable(schema.VERSIONS[version:]):
            connection.execute(self.statement(template))
        if version < known:
            connection.execute(self.statement(schema.TELL_INSTALLATION_ANEW), (SCHEMA, str(known).encode()))


def said(error: Exception) -> str:
    """A driver's message as a part of a sentence, without its further lines."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return words.partition("\n")[0].rstrip(".")


@lru_cache(maxsize=256)
def _statement(database: type[Database], template: str, row: str, rows: int) -> str:
    """The template in the words and with the placeholders of a database, and with so many rows."""
    text = template.replace("<rows>", ", ".join([row] * rows))
    for word, theirs in database.WORDS.items():
        text = text.replace(f"<{word}>", theirs)
    return text.format(*(database.placeholder(number) for number in range(1, text.count("{}") + 1)))
