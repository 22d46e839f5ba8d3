"""A process in which bots think, at low priority: questions come by its standard input, moves go to its output.

    python -m brocante.server.bot_worker

It ends with the process that started it: then its standard input is closed.
"""

import sys
from typing import IO

import msgspec

from brocante.compiling.worker import lower_priority
from brocante.table.thinking import Question

#: Bytes that say how long a message is.
LENGTH = 4


def send_message(to: IO[bytes], message: object) -> None:
    body = msgspec.msgpack.encode(message)
    to.write(len(body).to_bytes(LENGTH, "big") + body)
    to.flush()


def next_message(source: IO[bytes]) -> bytes:
    """The next message; EOFError if there will be none."""
    body = source.read(int.from_bytes(source.read(LENGTH), "big"))
    if not body:
        raise EOFError
    return body


def work(questions: IO[bytes], moves: IO[bytes]) -> None:
    """Answer questions until there are no more."""
    while True:
        try:
            question = msgspec.msgpack.decode(next_message(questions), type=Question)
            send_message(moves, question.answer().line())
        except (EOFError, BrokenPipeError, KeyboardInterrupt):
            return


if __name__ == "__main__":
    lower_priority()
    work(sys.stdin.buffer, sys.stdout.buffer)
