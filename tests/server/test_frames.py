"""The frames of a WebSocket, as the standard (RFC 6455) has them, and as clients should not send them."""

import random
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from brocante.server.frames import (
    BINARY,
    CLOSE,
    CONTINUATION,
    NO_TEXT,
    PING,
    PONG,
    TEXT,
    TOO_LONG,
    WRONG,
    FrameError,
    FrameReader,
    ReceivedFrame,
    close_frame,
    frame_bytes,
    unmasked,
)

MOST = 70_000
MASK = b"\x37\xfa\x21\x3d"


def sent(kind: int, payload: bytes = b"", *, last: bool = True, mask: bytes = MASK) -> bytes:
    """A frame as a client sends it."""
    length = len(payload)
    if length < 126:
        size = bytes((0x80 | length,))
    elif length < 2**16:
        size = b"\xfe" + length.to_bytes(2, "big")
    else:
        size = b"\xff" + length.to_bytes(8, "big")
    return bytes((kind | (0x80 if last else 0),)) + size + mask + unmasked(payload, mask)


def read(*pieces: bytes, most: int = MOST) -> list[ReceivedFrame]:
    """What is read of what comes in these pieces."""
    reader, frames = FrameReader(most), []
    for piece in pieces:
        reader.feed(piece)
        while frame := reader.read():
            frames.append(frame)
    return frames


def code_of(*pieces: bytes, most: int = MOST) -> int:
    with pytest.raises(FrameError) as refused:
        read(*pieces, most=most)
    return refused.value.code


def test_the_examples_of_the_standard_are_read() -> None:
    assert read(b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58") == [(TEXT, b"Hello")]
    assert read(b"\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58") == [(PING, b"Hello")]
    assert frame_bytes(TEXT, b"Hello") == b"\x81\x05Hello"
    assert frame_bytes(BINARY, bytes(256))[:4] == b"\x82\x7e\x01\x00"
    assert frame_bytes(BINARY, bytes(65_536))[:10] == b"\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00"
    assert close_frame(1001) == b"\x88\x02\x03\xe9"


@pytest.mark.parametrize("length", [0, 1, 3, 4, 125, 126, 127, 128, 65_535, 65_536, MOST])
def test_messages_of_every_length_are_read_in_whatever_pieces_they_come(length: int) -> None:
    text = bytes(random.Random(length).choices(b"abc", k=length))
    frame = sent(TEXT, text) + sent(PONG)
    expected = [(TEXT, text), (PONG, b"")]
    assert read(frame) == expected
    for cut in {1, 2, 3, 5, 9, 13, 14, len(frame) - 7, len(frame) - 1}:
        assert read(frame[:cut], frame[cut:]) == expected
    if length < 1_000:
        assert read(*(frame[at : at + 1] for at in range(len(frame)))) == expected


@given(st.binary(max_size=300), st.binary(min_size=4, max_size=4))
def test_a_mask_is_taken_off_as_the_standard_says(payload: bytes, mask: bytes) -> None:
    assert unmasked(payload, mask) == bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=4))
def test_whatever_comes_is_read_the_same_in_one_piece_and_in_many(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(edges)]

    def outcome(*found: bytes) -> tuple[list[ReceivedFrame], int | None]:
        reader, frames = FrameReader(100), []
        for piece in found:
            reader.feed(piece)
            try:
                while frame := reader.read():
                    frames.append(frame)
            except FrameError as error:
                return frames, error.code
        return frames, None

    assert outcome(*pieces) == outcome(data)


def test_control_frames_may_come_between_the_parts_of_a_message() -> None:
    parts = [sent(TEXT, b"one ", last=False), sent(PING, b"?"), sent(CONTINUATION, b"", last=False)]
    parts += [sent(CONTINUATION, b"two ", last=False), sent(PONG), sent(CONTINUATION, b"three")]
    found = read(b"".join(parts))
    assert [frame for frame in found if frame.kind != CONTINUATION] == [
        (PING, b"?"), (PONG, b""), (TEXT, b"one two three"),
    ]  # fmt: skip
    assert read(*parts) == found


def test_a_letter_may_be_cut_in_two_by_parts_and_not_by_messages() -> None:
    snail = "🐌é".encode()
    for cut in range(1, len(snail)):
        parts = sent(TEXT, snail[:cut], last=False) + sent(CONTINUATION, snail[cut:])
        assert read(parts)[-1] == (TEXT, snail)
    assert code_of(sent(TEXT, snail[:3])) == NO_TEXT
    for wrong in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", snail[:-1]):
        assert code_of(sent(TEXT, wrong)) == NO_TEXT
        assert code_of(sent(TEXT, b"", last=False) + sent(CONTINUATION, wrong)) == NO_TEXT
        assert read(sent(BINARY, wrong)) == [(BINARY, wrong)]


@pytest.mark.parametrize("bit", [0x40, 0x20, 0x10])
def test_reserved_bits_mean_nothing_here(bit: int) -> None:
    for kind in (TEXT, BINARY, PING, CLOSE):
        frame = sent(kind)
        assert code_of(bytes((frame[0] | bit,)) + frame[1:]) == WRONG


@pytest.mark.parametrize("kind", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
def test_reserved_kinds_are_none(kind: int) -> None:
    assert code_of(sent(kind)) == WRONG


def test_a_client_masks_what_it_sends() -> None:
    assert code_of(frame_bytes(TEXT, b"Hello")) == WRONG


def test_parts_come_in_order() -> None:
    assert code_of(sent(CONTINUATION, b"of nothing")) == WRONG
    assert code_of(sent(TEXT, b"one", last=False), sent(TEXT, b"another")) == WRONG
    assert code_of(sent(BINARY, b"one", last=False), sent(TEXT, b"another", last=False)) == WRONG
    assert code_of(sent(TEXT, b"one", last=False) + sent(CONTINUATION, b"two") + sent(CONTINUATION, b"three")) == WRONG


def test_control_frames_are_short_and_whole() -> None:
    assert read(sent(PING, bytes(125))) == [(PING, bytes(125))]
    assert code_of(sent(PING, bytes(126))) == WRONG
    assert code_of(sent(PING, b"half", last=False)) == WRONG
    assert code_of(b"\x89\xfe\x00\x05" + MASK + b"Hello") == WRONG, "a short one with a long length"


def test_what_is_too_long_is_refused_as_soon_as_its_length_is_known() -> None:
    for length in (101, 2**16, 2**40, 2**63, 2**64 - 1):
        assert code_of(b"\x81\xff" + length.to_bytes(8, "big"), most=100) == TOO_LONG
    parts = [sent(TEXT, bytes(50), last=False), sent(CONTINUATION, bytes(50), last=False)]
    assert len(read(*parts, most=100)) == 2
    assert code_of(*parts, sent(CONTINUATION, b"x"), most=100) == TOO_LONG


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
def test_a_client_hangs_up_with_a_code_and_a_reason(code: int) -> None:
    payload = code.to_bytes(2, "big") + "adieu, là".encode()
    assert read(sent(CLOSE, payload)) == [(CLOSE, payload)]


@pytest.mark.parametrize("code", [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])
def test_some_codes_are_never_sent(code: int) -> None:
    assert code_of(sent(CLOSE, code.to_bytes(2, "big"))) == WRONG


def test_a_close_frame_says_nothing_or_something_that_can_be_read() -> None:
    assert read(sent(CLOSE)) == [(CLOSE, b"")]
    assert code_of(sent(CLOSE, b"\x03")) == WRONG
    assert code_of(sent(CLOSE, b"\x03\xe8\xff")) == NO_TEXT


def test_a_message_without_an_end_takes_no_memory_for_its_empty_parts() -> None:
    reader = FrameReader(100)
    reader.feed(sent(TEXT, b"x", last=False))
    for _ in range(1_000):
        assert reader.read() == (CONTINUATION, b"")
        reader.feed(sent(CONTINUATION, last=False))
    assert reader.is_waiting
    assert len(reader._begun) == 1


def test_frames_are_read_one_at_a_time() -> None:
    """So that whoever has had enough of a client does not read what else it has sent."""
    reader = FrameReader(100)
    reader.feed(sent(PING) * 3)
    assert reader.read() == (PING, b"")
    assert reader.unread == 2 * len(sent(PING))
