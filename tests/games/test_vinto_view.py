"""What people see of Vinto: what is asked, what is seen for a moment, what the log tells and what it leaves out."""

import pytest

import brocante
from brocante import NOBODY, Game
from brocante.bots import Bot
from brocante.engine.moves import Part
from brocante.engine.text import Player, Text, language
from brocante.engine.view import Moment, Zone
from tests.games.vinto_positions import PLAYED, play, position

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eve")

TABLE = """
    pile: 9H 4C QH …   discards: 5S KD*
    > seat 0   7C(0) 7D JH 10H 2S
      seat 1   7S(1) 4D(1) 6H AS 3S
      seat 2   7H AC AD QS 6C
      seat 3   8C 8D 8H 8S 2C
"""


def say(text: object) -> str:
    return language("en").say(text, NAMES)  # type: ignore[arg-type]


def log(game: Game, seat: int) -> str:
    return "\n".join(map(say, game.log(seat)))


def asked(game: Game, begun: tuple[int, ...] = ()) -> str:
    return say(game.view(game.actor, begun).prompt)


def last_moment(game: Game, seat: int) -> Moment | None:
    return game.moment(seat, len(game.steps) - 1)


def row_of(moment: Moment, seat: int) -> list[str]:
    """The cards of a row, `?` face down."""
    zone: Zone = moment.table.places[seat].zones[0]
    return [say(stack.card.name) if stack.card else "?" if stack.count else "--" for stack in zone.stacks]


# --- what is asked ----------------------------------------------------------------------------------------------------


def test_each_small_decision_has_a_prompt_of_its_own() -> None:
    game = position(TABLE)
    action = Text("vinto.action.K")
    assert asked(game) == say(Text("vinto.prompt.turn_or_take", card="K♦", action=action))
    play(game, "draw")
    assert asked(game) == say(Text("vinto.prompt.play", card="9♥", action=Text("vinto.action.9")))
    slot = next(actions for choice, actions in game.choices() if isinstance(choice, Part))
    assert asked(game, slot) == say(Text("vinto.prompt.swap", slot=1))
    play(game, "swap 0")
    assert game.actor == 1
    assert asked(game) == say(Text("vinto.prompt.window", player=Player(0), rank="7"))
    assert say(game.view(0).prompt) == say(Text("vinto.prompt.wait.window", player=Player(1)))


def test_the_king_is_asked_for_a_card_and_then_for_its_rank() -> None:
    game = position(TABLE)
    play(game, "take", "all pass")
    assert game.view(0).prompt.key == "vinto.prompt.king"
    assert "K♦" in asked(game)
    choices = dict(game.choices())
    part = next(choice for choice in choices if isinstance(choice, Part))
    labels = [say(offer.label) for offer in game.view(0).offers]
    assert "Ben’s card 2" in labels
    assert "your card 5" in labels
    assert "Declare the rank of your card 1." in asked(game, choices[part])
    ranks = [say(offer.label) for offer in game.view(0, choices[part]).offers]
    assert ranks[0] == "Declare A"
    assert ranks[-1] == "Declare a joker"
    assert len(ranks) == 14


SEVENS = """
    pile: 7H 6C 6D …
    > seat 0   2C 3C
      seat 1   7C 2D
      seat 2   7D 2H
      seat 3   2S
"""


def to_come(game: Game, viewer: int) -> list[str]:
    """The cards whose actions are to come, as the table shows them, each with what is said of it."""
    zones = [zone for zone in game.view(viewer).table.centre if zone.key == "waiting"]
    stacks = [stack for zone in zones for stack in zone.stacks]
    return [f"{say(stack.card.name)} {key_and_player(stack.note)}" for stack in stacks if stack.card]


def key_and_player(note: object) -> str:
    assert isinstance(note, Text)
    return f"{note.key.removeprefix('vinto.note.')} {say(note.args['player'])}"


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, NOBODY])
def test_everyone_sees_which_actions_are_to_come_in_their_order(viewer: int) -> None:
    """V5: the one that is being carried out first; whose they are stands beside them."""
    game = position(SEVENS)
    assert to_come(play(game, "draw"), viewer) == []
    assert to_come(play(game, "play"), viewer) == ["7♥ waits Ana"]
    play(game, "1: toss 0", "1: pass", "2: toss 0")
    assert to_come(game, viewer) == ["7♥ waits Ana", "7♣ waits Ben", "7♦ waits Cleo"]
    assert to_come(play(game, "all pass"), viewer) == ["7♥ acting Ana", "7♣ waits Ben", "7♦ waits Cleo"]
    assert to_come(play(game, "look 0,0"), viewer) == ["7♣ acting Ben", "7♦ waits Cleo"]
    assert to_come(play(game, "look 1,1"), viewer) == ["7♦ acting Cleo"]
    assert to_come(play(game, "look 2,1"), viewer) == []


def test_who_carries_out_an_action_is_told_of_which_card_and_the_others_who_it_is() -> None:
    """V5: of several cards of one rank."""
    game = play(position(SEVENS), "draw", "play", "1: toss 0", "all pass", "look 0,0")
    prompts = [game.view(seat).prompt for seat in range(4)]
    assert [prompt.key for prompt in prompts] == [
        "vinto.prompt.wait.action",
        "vinto.prompt.look_own",
        *["vinto.prompt.wait.action"] * 2,
    ]
    assert all("7♣" in say(prompt) for prompt in prompts)
    assert all("Ben" in say(prompt) for seat, prompt in enumerate(prompts) if seat != 1)


@pytest.mark.parametrize("king", ["declare", "wild"])
def test_no_two_choices_share_a_key_and_one_can_always_take_back_and_read_the_rules(king: str) -> None:
    for seed in range(3):
        game = brocante.deal("vinto", players=5, king=king, seed=seed)
        bot = Bot(game.box, "random", seed)
        while not game.is_over:
            for begun in [(), *(actions for choice, actions in game.choices() if isinstance(choice, Part))][:3]:
                keys = [offer.key for offer in game.view(game.actor, begun).offers if offer.key]
                assert len(keys) == len(set(keys))
                assert not set(keys) & {"u", "?"}
            game.play(bot.choose(game))


# --- what one sees for a moment ---------------------------------------------------------------------------------------


def test_a_card_is_shown_to_whoever_looks_at_it_and_to_nobody_else() -> None:
    """What is hidden: a person is shown a card when they look at it."""
    game = position(TABLE)
    play(game, *PLAYED, "look 2,0")
    seen = last_moment(game, 0)
    assert seen
    assert say(seen.text) == "Remember: Cleo’s card 1 is 7♥."
    assert seen.pause
    assert row_of(seen, 2) == ["7♥", "?", "?", "?", "?"]
    assert row_of(seen, 0) == ["?"] * 5, "what one has seen before is to be remembered"
    assert [last_moment(game, seat) for seat in (1, 2, 3, NOBODY)] == [None] * 4
    assert say(game.view(0).table.places[2].zones[0].stacks[0].card or "down") == "down"


def test_with_the_memory_aid_there_is_nothing_to_remember() -> None:
    game = position(TABLE, memory_aid=True)
    play(game, *PLAYED, "look 2,0")
    assert last_moment(game, 0) is None
    card = game.view(0).table.places[2].zones[0].stacks[0].card
    assert card
    assert say(card.name) == "7♥"


def test_a_wrong_toss_is_seen_by_everyone_and_then_no_more() -> None:
    """V6."""
    game = position(TABLE)
    play(game, "draw", "swap 0", "1: toss 2")
    for seat in (0, 1, 2, 3, NOBODY):
        seen = last_moment(game, seat)
        assert seen
        assert row_of(seen, 1)[2] == "6♥"
        assert seen.pause == (seat == 1), "only who made the mistake is held up by it"
        assert "6♥" not in log(game, seat)
        assert "6♥" not in game.text(seat)


def test_who_calls_vinto_makes_the_others_see_what_any_of_them_knows() -> None:
    """V9.2."""
    game = position(TABLE)
    play(game, "draw", "swap 2", "all pass", "vinto")
    for seat in (1, 2, 3):
        seen = last_moment(game, seat)
        assert seen
        assert "Ana calls Vinto!" in say(seen.text)
        assert row_of(seen, 1) == ["7♠", "4♦", "?", "?", "?"]
    assert last_moment(game, 0) is None, "the caller knows"
    assert "last turns (Vinto: Ana)" in say(game.view(1).table.status)
    assert "called Vinto" in game.text(1)


def test_when_a_round_is_over_everyone_sees_every_card_the_totals_and_the_points() -> None:
    """V10."""
    game = position(
        """
        pile: 6D 3C 4C 5C …   discards: 5S
        > seat 0   2S
          seat 1   3S
          seat 2   4S 4D
          seat 3   8S
    """,
        rounds=1,
    )
    play(game, *PLAYED, "vinto", *[*PLAYED, "end"] * 3)
    for seat in (0, 1, 2, 3, NOBODY):
        seen = last_moment(game, seat)
        assert seen
        assert [row_of(seen, p) for p in range(4)] == [["2♠"], ["3♠"], ["4♠", "4♦"], ["8♠"]]
    told = log(game, 1)
    assert "Round 1 is over: Ana called Vinto and has the least!" in told
    assert "Cleo: 8 (−1)" in told
    assert "you called Vinto and have the least" in log(game, 0)
    notes = [say(place.zones[0].note) for place in game.view(1).table.places]
    assert notes[:2] == ["called Vinto: total 2, scores +3", "total 3, scores −1"]


def test_the_awards_add_up_to_the_game_points() -> None:
    """V11.1."""
    for seed in range(20):
        game = brocante.deal("vinto", players=5, rounds=1, seed=seed)
        bot = Bot(game.box, "random", seed)
        while not game.is_over:
            game.play(bot.choose(game))
        awards = game.view(0).awards
        assert [sum(award.points[seat] for award in awards) for seat in range(5)] == game.scores


# --- what the log tells -----------------------------------------------------------------------------------------------


def test_the_log_says_who_looked_at_which_slot_and_never_what_was_there() -> None:
    game = position(TABLE)
    play(game, *PLAYED, "look 2,0", "end")
    for seat, line in ((0, "You look at Cleo’s card 1."), (1, "Ana looks at Cleo’s card 1."), (2, "at your card 1.")):
        assert line in log(game, seat)
        assert "7♥" not in log(game, seat)


def test_what_went_where_is_named_while_it_is_news() -> None:
    """One has just seen it; afterwards one must remember it, or the log would be a memory aid."""
    game = position(TABLE)
    play(game, "draw", "swap 4")
    assert "Ana turns up 9♥.\nAna swaps it for card 5; 2♠ comes out." in log(game, 1)
    play(game, "all pass", "end", "draw")
    assert "Ana turns up 9♥." in log(game, 1), "Ben has passed, but his own turn is not over yet"
    assert "Ben turns up 4♣." in log(game, 2)
    play(game, "play", "all pass", "end", "draw")
    assert "Ana turns up a card.\nAna swaps it for card 5; 2♠ comes out." in log(game, 1), "the 2♠ lies face up"


# --- taking back ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "moves"),
    [("QH", ("play", "look2 0,0 0,1")), ("QH", ("swap 0 declare=7",)), ("8H", ("play", "look 0,0"))],
    ids=["a queen's look", "a right declaration", "a look"],
)
def test_what_showed_one_a_card_cannot_be_taken_back_even_if_one_had_seen_it_before(
    drawn: str, moves: tuple[str, ...]
) -> None:
    """Otherwise one could refresh one's memory, or try out a declaration."""
    game = position(f"""
        pile: {drawn} …   discards: 5S
        > seat 0   7C(0) 7D(0) JH
          seat 1   –
          seat 2   –
          seat 3   –
    """)
    play(game, "draw", *moves)
    assert game.actor == 0
    assert not game.can_undo(0)


def test_a_card_that_was_played_can_be_taken_back_unless_the_others_are_asked() -> None:
    """V5: they are, if they have cards to toss in."""
    game = position(TABLE)
    play(game, "draw")
    assert not game.can_undo(0), "everyone has seen the next card"
    assert not play(game, "play").can_undo(0)
    alone = position("pile: QH …   discards: 5S\n> seat 0   7C 7D JH\n seat 1   –\n seat 2   –\n seat 3   –")
    assert play(alone, "draw", "play").can_undo(0)


@pytest.mark.parametrize(
    ("moves", "gesture"),
    [
        (("swap 1",), (0, "move", ("0.row.1",))),
        (("play", "1: toss 1"), (1, "show", ("1.row.1",))),
        (("play", "all pass", "look2 1,0 2,1"), (0, "look", ("1.row.0", "2.row.1"))),
        (("play", "all pass", "look2 1,0 2,1", "exchange"), (0, "move", ("1.row.0", "2.row.1"))),
        (("play",), None),
    ],
)
def test_everyone_sees_which_cards_are_looked_at_shown_or_moved(
    moves: tuple[str, ...], gesture: tuple[int, str, tuple[str, ...]] | None
) -> None:
    game = play(position(QUEEN), "draw", *moves)
    seen = game.steps[-1].gesture(game.box)
    assert (seen and (seen.seat, seen.does, seen.at)) == gesture


QUEEN = """
    pile: QH 6C 6D …
    > seat 0   2C 3C
      seat 1   7C 2D
      seat 2   7D 2H
      seat 3   2S
"""
