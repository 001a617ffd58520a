"""Records of a round refuse what cannot have happened."""

import pytest

from tournaments.records import Contestant, Kind, Penalty, PointSystem, RoundRecord, points_text


@pytest.mark.parametrize(
    ("kind", "opponent", "seat"),
    [
        (Kind.PLAYED, None, None),
        (Kind.PLAYED, 2, None),
        (Kind.PLAYED, 2, 3),
        (Kind.FORFEIT_WIN, None, 1),
        (Kind.PAIRING_BYE, 2, None),
        (Kind.ABSENT, 2, 1),
    ],
)
def test_a_record_has_an_opponent_and_a_seat_exactly_where_a_game_was_paired(kind, opponent, seat):
    with pytest.raises(ValueError, match=kind):
        RoundRecord(kind, opponent, seat)


def test_score_counts_half_points_and_the_penalties_so_far():
    records = (RoundRecord(Kind.PLAYED, 2, 1, 2), RoundRecord(Kind.HALF_BYE, half_points=1))
    ann = Contestant(1, "ann", records=records, penalties=(Penalty(2, -1),))
    assert (ann.score(1), ann.score()) == (2, 2)


@pytest.mark.parametrize("worth", [{"win": 1}, {"loss": 1}, {"loss": -1}, {"absence": -1}, {"bye": -1}])
def test_a_point_system_puts_a_win_over_a_draw_over_a_loss(worth):
    with pytest.raises(ValueError, match="more than a draw"):
        PointSystem(**worth)


@pytest.mark.parametrize(("half_points", "text"), [(0, "0.0"), (1, "0.5"), (23, "11.5"), (-1, "-0.5")])
def test_points_text(half_points, text):
    assert points_text(half_points) == text
