"""The live contract again, with the players of each game at different processes."""

from tests.live.test_contract import *  # noqa: F403
from tests.live.test_rivals import *  # noqa: F403
