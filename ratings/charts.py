"""The picture of a rating's history: whole coordinates for an SVG that a template draws. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

WIDTH: Final = 640
HEIGHT: Final = 300
LEFT: Final = 66
RIGHT: Final = 628
TOP: Final = 14
BOTTOM: Final = 264
MOST_POINTS: Final = 240
STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_LEVELS: Final = 6

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Point:
    """One value's place; `x` and `y` count from the top left corner."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line of the grid and the rating it stands for."""

    rating: int
    y: int


@dataclass(frozen=True, slots=True)
class Plot:
    """A line through `points`, left to right in the order of the values, over a grid of `levels`."""

    points: tuple[Point, ...]
    levels: tuple[Level, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM

    @property
    def line(self) -> str:
        """The `points` of an SVG polyline."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)

    @property
    def area(self) -> str:
        """The same line closed along the bottom, as a polygon."""
        return f"{self.points[0].x},{self.bottom} {self.line} {self.points[-1].x},{self.bottom}"

    @property
    def label_x(self) -> int:
        """Where the levels' labels end."""
        return self.left - 8

    @property
    def last(self) -> Point:
        return self.points[-1]


def thinned(items: Sequence[Item], most: int = MOST_POINTS) -> list[Item]:
    """At most so many of the items, evenly chosen, the first and the last always among them."""
    if len(items) <= most:
        return list(items)
    return [items[place * (len(items) - 1) // (most - 1)] for place in range(most)]


def plot(ratings: Sequence[int]) -> Plot:
    """The plot of one or more ratings in order."""
    assert ratings
    step = _step(min(ratings), max(ratings))
    lowest = min(ratings) // step * step
    highest = max(-(-max(ratings) // step) * step, lowest + step)

    def height(rating: int) -> int:
        return BOTTOM - (rating - lowest) * (BOTTOM - TOP) // (highest - lowest)

    return Plot(
        points=tuple(Point(x, height(one)) for x, one in zip(_columns(len(ratings)), ratings, strict=True)),
        levels=tuple(Level(one, height(one)) for one in range(lowest, highest + 1, step)),
    )


def _step(lowest: int, highest: int) -> int:
    """The finest distance of grid lines that keeps them few; ratings have at most four digits."""
    return next(step for step in STEPS if (highest - lowest) // step + 2 <= MOST_LEVELS)


def _columns(count: int) -> Iterator[int]:
    if count == 1:
        yield (LEFT + RIGHT) // 2
        return
    for place in range(count):
        yield LEFT + place * (RIGHT - LEFT) // (count - 1)
