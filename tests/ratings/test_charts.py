import pytest

from ratings import charts


def test_points_run_from_left_to_right_and_higher_is_better():
    plot = charts.plot([1500, 1520, 1500])
    assert plot.points == (charts.Point(66, 264), charts.Point(347, 14), charts.Point(628, 264))
    assert plot.line == "66,264 347,14 628,264"
    assert plot.area == "66,264 66,264 347,14 628,264 628,264"
    assert plot.last == charts.Point(628, 264)


def test_levels_enclose_the_ratings():
    plot = charts.plot([1487, 1612])
    assert [level.rating for level in plot.levels] == [1450, 1500, 1550, 1600, 1650]
    assert (plot.levels[0].y, plot.levels[-1].y) == (264, 14)


@pytest.mark.parametrize(
    "ratings", [[1500], [1500, 1500], [1495, 1505], [-30, 20], [0, 9999], [1000, 2500], list(range(240))]
)
def test_everything_lies_inside_and_levels_are_few(ratings):
    plot = charts.plot(ratings)
    assert 2 <= len(plot.levels) <= charts.MOST_LEVELS
    assert all(66 <= point.x <= 628 and 14 <= point.y <= 264 for point in plot.points)
    assert plot.levels[0].rating <= min(ratings) <= max(ratings) <= plot.levels[-1].rating


def test_a_single_rating_stands_in_the_middle():
    assert charts.plot([1500]).points == (charts.Point(347, 264),)


@pytest.mark.parametrize(
    ("count", "most", "kept"),
    [(3, 5, [0, 1, 2]), (5, 5, [0, 1, 2, 3, 4]), (9, 3, [0, 4, 8]), (10, 3, [0, 4, 9])],
)
def test_thinned_keeps_the_first_and_the_last(count, most, kept):
    assert charts.thinned(range(count), most) == kept
