"""Laws that no linter knows: one writer, nothing is told before the commit, no file grows too long."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
APPS = ("quarto_site", "tournaments", "games", "ratings")
LONGEST = 300

WRITES = frozenset(
    ("save", "create", "get_or_create", "update_or_create", "update", "delete", "bulk_create", "bulk_update",
     "acreate", "asave", "aupdate", "adelete", "create_user", "create_superuser", "set_password", "full_save",
     "executemany")
)  # fmt: skip
WRITERS = (
    "games/bench.py", "games/referee.py", "games/pulse.py", "games/stored.py", "games/maintenance.py",
)  # fmt: skip
PUBLISHER = "games/live.py"
RELAY = "games/relay.py"
PRESENCE = "games/presence.py"  # tells who is there: a fact of the processes alone, which no commit makes


@dataclass(frozen=True)
class Module:
    path: str
    tree: ast.Module

    @property
    def is_writer(self) -> bool:
        parts = Path(self.path).parts
        return (
            "services" in parts or parts[-1] == "services.py" or "migrations" in parts or self.path in WRITERS
        )


def modules() -> Iterator[Module]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            yield Module(name, ast.parse(path.read_text(), name))


MODULES = list(modules())


def calls_of(tree: ast.AST) -> Iterator[tuple[ast.Call, str, str]]:
    """Each call with the name that is called and what it is called on, as source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node, node.func.attr, ast.unparse(node.func.value)
            elif isinstance(node.func, ast.Name):
                yield node, node.func.id, ""


def test_there_is_something_to_look_at():
    assert len(MODULES) > 50
    assert any(module.path == "games/bench.py" for module in MODULES)


# --- one writer ---


def names_from_services(tree: ast.Module) -> set[str]:
    """What a module has imported from the services."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "services" in (node.module or "").split(".")
        for alias in node.names
    } | {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == "services"
    }


@pytest.mark.parametrize("module", [one for one in MODULES if not one.is_writer], ids=lambda one: one.path)
def test_only_services_and_the_referee_write_rows(module):
    services = names_from_services(module.tree)
    written = [
        f"line {node.lineno}: {on}.{name}"
        for node, name, on in calls_of(module.tree)
        if name in WRITES and on.split(".")[0].split("(")[0] not in services
    ]
    assert written == []


# --- after the commit ---

Function = tuple[str, str]
"""A function: the dotted name of its module, and its own."""

TELLING: frozenset[Function] = frozenset((("games.live", "publish"), ("games.live", "close")))


@dataclass(frozen=True)
class Reference:
    """A mention of a function: from inside which function (None at the top of a module), and whether
    it is handed to `on_commit`."""

    to: Function
    inside: Function | None
    on_commit: bool


class References(ast.NodeVisitor):
    """All mentions of the site's own functions in one module."""

    def __init__(self, module: Module) -> None:
        self.module = module.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.found: list[Reference] = []
        self._names: dict[str, Function] = {}
        self._modules: dict[str, str] = {}
        self._inside: list[str] = []
        self._committing = 0
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in APPS:
                for alias in node.names:
                    name = alias.asname or alias.name
                    self._names[name] = (node.module, alias.name)
                    self._modules[name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._names.setdefault(node.name, (self.module, node.name))
        self.visit(module.tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._inside.append(node.name)
        self.generic_visit(node)
        self._inside.pop()

    def visit_Call(self, node: ast.Call) -> None:
        is_commit = ast.unparse(node.func).endswith("on_commit")
        self._committing += is_commit
        self.generic_visit(node)
        self._committing -= is_commit

    def visit_Name(self, node: ast.Name) -> None:
        self._note(self._names.get(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            self._note((self._modules[node.value.id], node.attr))
        elif isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            self._note((self.module, node.attr))
        self.generic_visit(node)

    def _note(self, function: Function | None) -> None:
        if function is not None:
            inside = (self.module, self._inside[0]) if self._inside else None
            self.found.append(Reference(function, inside, self._committing > 0))


REFERENCES = [
    reference for module in MODULES if module.path != PUBLISHER for reference in References(module).found
]


def telling_too_early(references: list[Reference]) -> set[str]:
    """Who could tell something before a commit.

    A function tells that mentions a telling one outside of `on_commit`. That is right as long as
    everybody who mentions it hands it to `on_commit`, or tells himself; it ends badly with somebody
    whom nobody, or the top of a module (such as a list of addresses), mentions.
    """
    telling, found = set(TELLING), set(TELLING)
    while found:
        telling |= found
        loose = [one for one in references if one.to in telling and not one.on_commit]
        found = {one.inside for one in loose if one.inside is not None} - telling
    at_the_top = {f"{'.'.join(one.to)}, at the top of a module" for one in loose if one.inside is None}
    mentioned = {one.to for one in references if one.inside != one.to}
    return at_the_top | {".".join(function) for function in telling - TELLING - mentioned}


def test_what_a_room_is_told_is_told_after_the_commit():
    assert {one.to for one in REFERENCES} >= TELLING
    assert telling_too_early(REFERENCES) == set()


@pytest.mark.parametrize(
    ("source", "early"),
    [
        ("def go():\n    on_commit(partial(publish, 'lobby', {}))", set()),
        ("def tell():\n    publish('lobby', {})\ndef go():\n    transaction.on_commit(tell)", set()),
        ("def go():\n    publish('lobby', {})", {"games.example.go"}),
        ("def tell():\n    publish('lobby', {})\ndef go():\n    tell()", {"games.example.go"}),
        ("class View:\n    def post(self):\n        publish('lobby', {})", {"games.example.post"}),
        ("publish('lobby', {})", {"games.live.publish, at the top of a module"}),
    ],
)
def test_the_law_finds_who_tells_too_early(source, early):
    example = Module("games/example.py", ast.parse(f"from games.live import publish\n{source}"))
    assert telling_too_early(References(example).found) == early


@pytest.mark.parametrize("module", MODULES, ids=lambda one: one.path)
def test_only_the_publisher_sends_to_sockets(module):
    sent = [name for _node, name, on in calls_of(module.tree) if on == "hub" and name in ("deliver", "close")]
    assert not sent or module.path in (PUBLISHER, PRESENCE)
    assert module.path == RELAY or not [
        name for _node, name, _on in calls_of(module.tree) if name == "group_send"
    ]


def test_the_publisher_is_called_by_those_who_judge_and_after_their_commit():
    used = {one for one in REFERENCES if one.to == ("games.live", "publisher")}
    assert {one.inside[0] for one in used if one.inside} == {
        "games.bench", "games.healing", "games.maintenance", "games.presence", "games.pulse", "games.referee",
        "games.sweep",
        "quarto_site.management.commands.serve",
    }  # fmt: skip
    assert all(
        one.on_commit for one in used if one.inside and one.inside[0] in ("games.bench", "games.pulse")
    )


# --- size ---


def sources() -> Iterator[Path]:
    for app in APPS:
        for kind in ("py", "js", "css", "html"):
            for path in sorted((ROOT / app).rglob(f"*.{kind}")):
                if not {"migrations", "vendor"} & set(path.parts):
                    yield path


def test_no_file_is_longer_than_one_can_read():
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in sources()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
