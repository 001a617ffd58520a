"""How much is measured: the whole, or little to see that everything runs."""

from dataclasses import dataclass

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The load of each section. Times are seconds."""

    rounds: int = 3
    slice_s: float = 2.0
    batches_at_most: int = 5
    games: int = 50
    watchers: int = 4
    idle: int = 1_000
    crowd: int = 1_000
    crowd_actions: int = 30
    crowd_per_s: float = 8.0
    crowd_rounds: int = 3
    paced_games: int = 200
    paced_per_s: float = 300.0
    paced_s: float = 6.0
    paced_rounds: int = 3
    deadlines: int = 5_000
    deadlines_s: float = 20.0
    stored: int = 100_000
    stored_games: int = 100
    stored_rounds: int = 3
    affinity_rounds: int = 9
    pairing_players: int = 200
    page_players: int = 300
    season_rounds: int = 9
    standings_players: int = 1_000
    standings_rounds: int = 11
    few_players: int = 100
    many_players: int = 10_000

    @property
    def pool(self) -> int:
        """How many games one server needs for every section that plays there."""
        batches = self.rounds * self.batches_at_most + 1
        return batches * self.games + self.crowd_rounds + self.paced_rounds * self.paced_games + 25


QUICK = Sizes(
    rounds=2, slice_s=0.5, games=20, idle=200, crowd=200, crowd_actions=8, crowd_rounds=1, paced_games=40,
    paced_per_s=60.0, paced_s=4.0, paced_rounds=1, deadlines=300, deadlines_s=4.0, stored=1_000, stored_games=30,
    stored_rounds=1, affinity_rounds=1, pairing_players=40, page_players=60, season_rounds=3,
    standings_players=80, standings_rounds=3, few_players=20, many_players=500,
)  # fmt: skip
