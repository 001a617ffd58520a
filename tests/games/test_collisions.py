import pytest
from django.db import OperationalError

from games.collisions import TRIES_AT_MOST, again, collided


class Ended(Exception):
    def __init__(self, sqlstate):
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


def failure(sqlstate):
    error = OperationalError(sqlstate)
    error.__cause__ = Ended(sqlstate)
    return error


class Unit:
    """A transaction that fails with each of these before it goes well."""

    def __init__(self, *failures):
        self.failures = list(failures)
        self.calls = 0

    def __call__(self, answer):
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return answer


@pytest.mark.parametrize("sqlstate", ["40P01", "40001"])
def test_a_transaction_that_met_another_is_tried_again(sqlstate):
    unit = Unit(failure(sqlstate), failure(sqlstate))
    assert again(unit, "done") == "done"
    assert unit.calls == 3


def test_in_the_end_it_is_given_up():
    unit = Unit(*[failure("40P01")] * TRIES_AT_MOST)
    with pytest.raises(OperationalError):
        again(unit, "done")
    assert unit.calls == TRIES_AT_MOST


@pytest.mark.parametrize("error", [failure("57P01"), OperationalError("database is locked"), ValueError()])
def test_any_other_failure_is_the_callers(error):
    unit = Unit(error)
    assert not collided(error)
    with pytest.raises(type(error)):
        again(unit, "done")
    assert unit.calls == 1
