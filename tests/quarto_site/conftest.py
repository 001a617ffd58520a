import pytest
from django.contrib.auth.models import User

from quarto_site.accounts.services import open_account
from tests.listening import listening

PASSWORD = "four in a row"


def account(name: str) -> User:
    return open_account(username=name, password=PASSWORD, address="192.0.2.1").user


@pytest.fixture
def ann(db):
    return account("Ann")


@pytest.fixture
def ben(db):
    return account("Ben")


@pytest.fixture
def ears():
    with listening() as ears:
        yield ears
