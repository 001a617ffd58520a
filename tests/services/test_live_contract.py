"""The live contract again, with the players of each game at different processes."""

from tests.live.test_access_ends import *  # noqa: F403
from tests.live.test_admission import (  # noqa: F401 - run here as well
    test_a_new_password_closes_every_socket_of_the_user,
    test_a_revoked_token_closes_the_sockets_that_stand_on_it_and_no_others,
    test_a_session_cookie_seats_the_player_and_signing_out_closes_his_sockets,
)
from tests.live.test_contract import *  # noqa: F403
from tests.live.test_rivals import *  # noqa: F403
from tests.live.test_whole_games import *  # noqa: F403
