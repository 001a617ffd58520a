"""The people at the boards. A file whose players need no account makes its own."""

import pytest

from games.referee import Referee
from ratings.models import Player
from tests.games.answers import Answers
from tests.games.seats import person
from tests.listening import listening


@pytest.fixture
def ann(db: None) -> Player:
    return person("Ann")


@pytest.fixture
def ben(db: None) -> Player:
    return person("Ben")


@pytest.fixture
def cleo(db: None) -> Player:
    return person("Cleo")


@pytest.fixture
def ears():
    with listening() as ears:
        yield ears


@pytest.fixture
def referee(transactional_db: None):
    referee = Referee()
    referee.start()
    yield referee
    referee.stop()


@pytest.fixture
def answers(ears):
    return Answers(ears)
