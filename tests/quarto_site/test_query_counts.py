"""What every page and every list costs: as many queries for many rows as for few, and never a walk through
a whole table of what grows without end."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLResolver, get_resolver
from knox.models import AuthToken

from games.models import Challenge
from ratings.models import Player
from tests import crowded
from tournaments.models import Absence, AuditEvent, Tournament

PINNED = {
    "": 9,
    "rules/": 2,
    "about/": 2,
    "healthz": 0,
    "accounts/": 3,
    "accounts/password/": 2,
    "games/<str:game_id>/": 4,
    "challenges/": 2,
    "players/<str:username>/": 8,
    "tournaments/": 6,
    "tournaments/new/": 2,
    "tournaments/<slug:slug>/": 9,
    "tournaments/<slug:slug>/rounds/<int:number>/": 9,
    "tournaments/<slug:slug>/standings/": 8,
    "tournaments/<slug:slug>/boards/": 8,
    "tournaments/<slug:slug>/screen/": 9,
    "tournaments/<slug:slug>/manage/": 10,
    "tournaments/<slug:slug>/manage/regulations/": 11,
    "tournaments/<slug:slug>/manage/by-hand/": 8,
    "ratings/": 4,
    "api/tokens/": 4,
    "api/games/": 4,
    "api/games/<str:game_id>/": 3,
    "api/games/<str:game_id>/record/": 3,
    "api/challenges/": 4,
    "api/challenges/<str:challenge_id>/": 3,
    "api/tournaments/": 4,
    "api/tournaments/<slug:slug>/": 4,
    "api/tournaments/<slug:slug>/entries/": 6,
    "api/tournaments/<slug:slug>/rounds/": 6,
    "api/tournaments/<slug:slug>/rounds/<int:number>/": 6,
    "api/tournaments/<slug:slug>/standings/": 7,
    "api/tournaments/<slug:slug>/export.json": 11,
    "api/tournaments/<slug:slug>/export.csv": 7,
    "api/tournaments/<slug:slug>/export.trf": 7,
    "api/tournaments/<slug:slug>/records/": 4,
    "api/players/<str:username>/": 4,
    "api/ratings/": 4,
    "api/schema/": 2,
    "api/docs/": 2,
}
"""Queries of a GET by somebody who is signed in, organises the tournament and plays in it."""

UNREAD = {
    "accounts/ban/<str:username>/": 403,  # for the site's own staff
    "accounts/sign-in/": 302,  # who is signed in is sent on
    "accounts/sign-up/": 302,
    "api/": 404,  # any other address
    "api/games/<str:game_id>/events/": 404,  # reads in a thread of its own, which sees nothing of a test
    "readyz": 503,  # without a referee
}

GROWING = ("games_game", "games_challenge", "ratings_ratingchange", "tournaments_participation",
           "tournaments_board", "tournaments_entry", "tournaments_auditevent")  # fmt: skip


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from routes(entry, route)
        else:
            yield route


def crowd(ann: Player, size: int) -> dict[str, object]:
    """A site of this size around ann; what stands for the parts of an address."""
    others = crowded.people(size, prefix=f"of{size}-")
    games = crowded.between([(ann, other) for other in others])
    crowded.between([(other, ann) for other in others], status="waiting")
    cup = crowded.tournament(ann, [ann, *others[1:]], rounds=min(size // 2, 6), slug=f"cup-{size}")
    Absence.objects.bulk_create(
        Absence(entry=entry, round_number=9, kind="half") for entry in cup.entries.all()
    )
    AuditEvent.objects.bulk_create(AuditEvent(tournament=cup, actor=ann, verb="published") for _one in others)
    for number, other in enumerate(others):
        Tournament.objects.create(
            slug=f"open-{size}-{number}", name="Open", format="swiss", status="published"
        )
        AuthToken.objects.create(user=ann.user)
        for challenger, opponent in ((other, ann), (ann, other), (other, None)):
            Challenge.objects.create(
                challenger=challenger,
                opponent=opponent,
                rules="L:F",
                claims="lose",
                control="turn=60",
                rated=True,
            )
    return {
        "slug": cup.slug,
        "number": 1,
        "game_id": games[0].pk,
        "challenge_id": Challenge.objects.filter(opponent=ann).earliest("created_at").pk,
        "username": ann.username,
        "entry_id": cup.entries.get(player=ann).pk,
        "board": 1,
        "token_key": "none",
    }


def asked(client: Client, places: dict[str, object]) -> dict[str, list[str]]:
    """The statements of every address that can be read, by its route. Those that only take are left out."""
    statements = {}
    for route in routes(get_resolver()):
        address = "/" + re.sub(r"<\w+:(\w+)>", lambda part: str(places[part[1]]), route)
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address)
            if answer.streaming:
                answer.getvalue()
        if route in UNREAD:
            assert answer.status_code == UNREAD[route], address
        elif answer.status_code != 405:
            assert answer.status_code == 200, address
            statements[route] = [query["sql"] for query in captured]
    return statements


@pytest.fixture
def ann(client: Client, db: None) -> Player:
    ann = crowded.people(1, prefix="ann")[0]
    client.force_login(ann.user)
    return ann


def test_every_page_and_list_costs_what_is_pinned_for_few_rows_and_for_many(client, ann):
    asked(client, crowd(ann, 2))  # what the first request of a process loads
    few = asked(client, crowd(ann, 4))
    many = asked(client, crowd(ann, 24))
    assert {route: len(statements) for route, statements in few.items()} == PINNED
    assert {route: len(statements) for route, statements in many.items()} == PINNED
    assert {route: walks for route, made in many.items() if (walks := list(whole_walks(made)))} == {}


def whole_walks(statements: list[str]) -> Iterator[str]:
    """The plans by which a growing table would be read from end to end."""
    for statement in statements:
        if not statement.startswith("SELECT"):
            continue
        with connection.cursor() as cursor:
            plan = cursor.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
        for *_ids, step in plan:
            scan = re.match(r"SCAN (\w+)\b(?! USING)", step)
            if scan and scan[1] in GROWING:
                yield f"{step}: {statement}"
