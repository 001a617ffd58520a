"""What is sent with the requests of the matrix, by method, address and where; nothing where nothing is said."""

from tests.access.world import PASSWORD

T, M, AT = "/tournaments/<slug>/", "/tournaments/<slug>/manage/", "/api/tournaments/<slug>/"
NEW = {
    "name": "Thursday", "format": "swiss", "rounds": "3", "time": "turn=60", "lines": "L", "claims": "lose",
    "attributes": ["1", "2", "4", "8"], "no_show_s": "120", "bye": "2", "late": "0", "publish": "1",
}  # fmt: skip
CREDENTIALS = {"username": "ann", "password": PASSWORD}
SIGN_UP = {"username": "zoe", "password": PASSWORD}

BY_HAND: dict[str, object] = {"by": "hand"}
"""In its place is sent what the world says."""

BODIES: dict[tuple[str, str, str], dict[str, object]] = {
    ("POST", "/accounts/sign-up/", ""): SIGN_UP,
    ("POST", "/accounts/sign-in/", ""): CREDENTIALS,
    ("POST", "/accounts/password/", ""): {"old_password": PASSWORD, "new_password": f"{PASSWORD} again"},
    ("POST", "/challenges/", ""): {"lines": "L", "attributes": ["1", "2"], "time": "turn=60", "claims": "void"},
    ("POST", "/tournaments/new/", ""): NEW,
    ("POST", f"{M}regulations/", "open"): NEW | {"name": "Another name"},
    ("POST", f"{M}entries/", "open"): {"names": "Maria\nIvan"},
    ("POST", f"{M}entries/<entry_id>/absence/<number>/", "open: no points"): {"kind": "zero"},
    ("POST", f"{M}entries/<entry_id>/absence/<number>/", "open: half a point"): {"kind": "half"},
    ("POST", f"{M}rounds/<number>/boards/<board>/", "running"): {"result": "1-0", "reason": "he left"},
    ("POST", f"{M}by-hand/", "open"): BY_HAND,
    ("POST", f"{M}staff/", "open"): {"username": "cleo", "role": "arbiter"},
    ("POST", "/api/accounts/", ""): SIGN_UP,
    ("POST", "/api/tokens/", ""): CREDENTIALS,
    ("POST", "/api/games/<game_id>/actions/", "a game"): {"do": "give", "piece": "5", "seq": 0},
    ("POST", "/api/games/<game_id>/actions/", "running"): {"do": "give", "piece": "5", "seq": 0},
    ("POST", "/api/tournaments/", ""): {"name": "Thursday"},
    ("PATCH", AT, "open"): {"name": "Another name"},
    ("POST", f"{AT}entries/", "open: a guest"): {"name": "Maria"},
    ("POST", f"{AT}entries/<entry_id>/absence/", "open: no points"): {"round": 1, "kind": "zero"},
    ("POST", f"{AT}entries/<entry_id>/absence/", "open: half a point"): {"round": 1, "kind": "half"},
    ("PUT", f"{AT}rounds/<number>/boards/<board>/result/", "running"): {"result": "0-1F"},
}  # fmt: skip
