"""States: NumPy records that are read quickly, and behave as such in every other way."""

import pickle

import numpy as np
import pytest

from brocante.engine.rule import rule
from brocante.engine.state import copied, from_bytes, new, record

STATE = record(("actor", np.int8), ("players", np.int8), ("kept", np.int16, (2, 3)))


@rule
def keep(s):  # type: ignore[no-untyped-def]
    s.kept[1, 2] += 1
    return s.kept[1, 2]


def test_fields_are_attributes_that_can_be_read_and_written() -> None:
    s = new(STATE)
    s.actor, s.kept[1, 2] = 1, 5
    assert (s["actor"], s.actor, int(s.kept.sum())) == (1, 1, 5)
    s.kept = 2
    assert s.kept.tolist() == [[2, 2, 2], [2, 2, 2]]


@pytest.mark.parametrize("name", ["kind", "_kept", "date"])
def test_what_is_no_field_is_no_attribute(name: str) -> None:
    s = new(STATE)
    assert not hasattr(s, name)
    with pytest.raises(AttributeError):
        setattr(s, name, 1)


def test_rules_change_the_state_that_they_are_given_wherever_it_came_from() -> None:
    array = np.zeros(2, STATE)
    made = [new(STATE), copied(new(STATE)), from_bytes(STATE, bytes(STATE.itemsize)), array[1], array[1].copy()]
    for s in made:
        assert [keep(s), keep(s)] == [1, 2]
        assert s.kept[1, 2] == 2
    assert array["kept"][:, 1, 2].tolist() == [0, 2], "an element of an array is no copy"


def test_a_copy_is_independent() -> None:
    s = new(STATE)
    other = copied(s)
    keep(other)
    assert (s.kept[1, 2], other.kept[1, 2]) == (0, 1)


def test_states_and_arrays_of_states_can_be_pickled() -> None:
    s = new(STATE)
    keep(s)
    assert pickle.loads(pickle.dumps(s)).kept[1, 2] == 1
    assert pickle.loads(pickle.dumps(np.zeros(3, STATE)))[2].kept.shape == (2, 3)
    assert s.tobytes() == pickle.loads(pickle.dumps(s)).tobytes()
