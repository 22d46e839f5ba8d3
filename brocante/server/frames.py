"""The frames of a WebSocket as a server reads and writes them (RFC 6455), without a network.

Uvicorn's protocols hand every message through a queue and two tasks, which costs more than most moves do, and answer
pings by themselves, however many there are. Here every frame is told to whoever reads, so that every frame counts.
"""

from typing import NamedTuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
#: Why a connection is closed: the server goes away; the frames are wrong; a text is not UTF-8; a client does not
#: behave; a message is too long; come back; try again later.
LEAVING, WRONG, NO_TEXT, UNWELCOME, TOO_LONG, RESTARTING, TOO_SLOW = 1001, 1002, 1007, 1008, 1009, 1012, 1013
NO_CODE = 1005  # what a close frame without a code stands for; it is never sent
#: Control frames carry no more.
LONGEST_CONTROL = 125
#: The codes that a client may close with, besides those from 3000 to 4999.
CLIENT_CODES = frozenset([1000, 1001, 1002, 1003, *range(1007, 1015)])


class FrameError(Exception):
    """Something that no client may send. The connection is closed with the code."""

    def __init__(self, code: int, problem: str) -> None:
        super().__init__(problem)
        self.code = code


class ReceivedFrame(NamedTuple):
    """What has arrived: a whole message (TEXT, BINARY), a part of one (CONTINUATION), or a control frame."""

    kind: int
    payload: bytes


class FrameReader:
    """Reads what a client sends, in whatever pieces it comes, one frame at a time. Messages longer than `most` bytes
    are refused as soon as their header says so; what is kept of an unfinished message never exceeds that."""

    __slots__ = ("_at", "_begun", "_buffer", "_kind", "_length", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer, self._at = b"", 0  # what has come, and how much of it was read
        self._kind = CONTINUATION  # of the message that is under way in several frames, if one is
        self._begun: list[bytes] = []
        self._length = 0  # of what there is of it

    def feed(self, data: bytes) -> None:
        """More has come."""
        self._buffer, self._at = self._buffer[self._at :] + data, 0

    def read(self) -> ReceivedFrame | None:
        """The next frame that is complete; a FrameError if the client breaks the protocol."""
        found = self._next(self._buffer, self._at)
        if found is None:
            return None
        frame, self._at = found
        return frame

    @property
    def unread(self) -> int:
        """How many bytes have come that were not read."""
        return len(self._buffer) - self._at

    @property
    def is_waiting(self) -> bool:
        """Whether the rest of a frame, or of a message, is still to come."""
        return self.unread > 0 or self._kind != CONTINUATION

    def _next(self, data: bytes, at: int) -> tuple[ReceivedFrame, int] | None:
        """The frame that begins at a byte, and where it ends; None if it is not complete."""
        if len(data) < at + 2:
            return None
        first, second = data[at], data[at + 1]
        length, start = second & 0x7F, at + 6
        if length > LONGEST_CONTROL:
            size = 2 if length == 126 else 8
            if len(data) < at + 2 + size:
                return None
            length, start = int.from_bytes(data[at + 2 : at + 2 + size], "big"), at + 6 + size
        self._check(first, second, length)
        end = start + length
        if len(data) < end:
            return None
        payload = unmasked(data[start:end], data[start - 4 : start])
        return self._frame(first & 0x0F, payload, is_last=first >= 0x80), end

    def _check(self, first: int, second: int, length: int) -> None:
        kind = first & 0x0F
        if first & 0x70 or kind not in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG):
            raise FrameError(WRONG, "a frame of an unknown kind")
        if second < 0x80:
            raise FrameError(WRONG, "a frame without a mask")
        if kind >= CLOSE:
            if second & 0x7F > LONGEST_CONTROL or first < 0x80:
                raise FrameError(WRONG, "a control frame that is too long or not whole")
        elif (kind == CONTINUATION) != (self._kind != CONTINUATION):
            raise FrameError(WRONG, "a part of a message out of order")
        elif self._length + length > self._most:
            raise FrameError(TOO_LONG, f"a message of more than {self._most} bytes")

    def _frame(self, kind: int, payload: bytes, *, is_last: bool) -> ReceivedFrame:
        """A frame, or the whole message of which it is the last one."""
        if kind >= CLOSE:
            return ReceivedFrame(kind, close_reason(payload) if kind == CLOSE else payload)
        if self._kind or not is_last:
            self._kind = kind or self._kind
            if payload:  # a client may send as many empty parts as it likes
                self._begun.append(payload)
            self._length += len(payload)
            if not is_last:
                return ReceivedFrame(CONTINUATION, b"")
            kind, payload = self._kind, b"".join(self._begun)
            self._kind, self._begun, self._length = CONTINUATION, [], 0
        if kind == TEXT:
            check_text(payload)
        return ReceivedFrame(kind, payload)


def unmasked(payload: bytes, mask: bytes) -> bytes:
    """A payload without its mask. Python's long numbers do it at once; byte by byte takes fifty times as long."""
    length = len(payload)
    repeated = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(repeated, "little")).to_bytes(length, "little")


def check_text(payload: bytes) -> None:
    try:
        payload.decode()
    except UnicodeDecodeError:
        raise FrameError(NO_TEXT, "a text that is not UTF-8") from None


def close_reason(payload: bytes) -> bytes:
    """The payload of a close frame, if it is one."""
    if not payload:
        return payload
    code = int.from_bytes(payload[:2], "big")
    if len(payload) == 1 or not (code in CLIENT_CODES or 3000 <= code <= 4999):
        raise FrameError(WRONG, "a close frame with an impossible code")
    check_text(payload[2:])
    return payload


def frame_bytes(kind: int, payload: bytes) -> bytes:
    """A whole frame as a server sends it.

    >>> frame_bytes(TEXT, b"hello")
    b'\\x81\\x05hello'
    """
    length = len(payload)
    if length <= LONGEST_CONTROL:
        return bytes((0x80 | kind, length)) + payload
    if length < 2**16:
        return bytes((0x80 | kind, 126)) + length.to_bytes(2, "big") + payload
    return bytes((0x80 | kind, 127)) + length.to_bytes(8, "big") + payload


def close_frame(code: int) -> bytes:
    return frame_bytes(CLOSE, code.to_bytes(2, "big"))
