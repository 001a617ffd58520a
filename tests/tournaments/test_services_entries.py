import pytest

from ratings.models import Player
from tests.tournaments.evening import (
    actor,
    enter_players,
    open_tournament,
    pair_and_start,
    person,
    play_round,
)
from tournaments.errors import BadInput, Forbidden, NotFound
from tournaments.models import Absence, AuditEvent, Entry, Participation, Round
from tournaments.policies import NOBODY, Actor
from tournaments.services import entries, pairings, tournaments
from tournaments.services.entries import AlreadyEntered, AlreadyWithdrawn, EntriesClosed

Kind = Participation.Kind


def test_a_player_enters_himself_and_only_once(ann, ben):
    tournament = open_tournament(ann)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    assert (entry.player, entry.rating, entry.entered_round, entry.number) == (ben, 1500, 1, None)
    with pytest.raises(AlreadyEntered):
        entries.enter(actor=actor(ben), slug=tournament.slug)
    assert AuditEvent.objects.filter(verb="entered", actor=ben).count() == 1


def test_who_has_no_player_cannot_enter(ann):
    tournament = open_tournament(ann)
    with pytest.raises(Forbidden):
        entries.enter(actor=NOBODY, slug=tournament.slug)


def test_a_draft_is_not_there_for_others(ann, ben):
    tournament = open_tournament(ann, publish=False)
    with pytest.raises(NotFound):
        entries.enter(actor=actor(ben), slug=tournament.slug)
    with pytest.raises(EntriesClosed):
        entries.enter(actor=actor(ann), slug=tournament.slug)
    assert entries.add(actor=actor(ann), slug=tournament.slug, name="Maria").player.name == "Maria"
    tournaments.publish(actor=actor(ann), slug=tournament.slug)
    assert entries.enter(actor=actor(ben), slug=tournament.slug).player == ben


def test_the_organiser_enters_accounts_and_guests(ann, ben):
    tournament = open_tournament(ann)
    assert entries.add(actor=actor(ann), slug=tournament.slug, username="BEN").player == ben
    guest = entries.add(actor=actor(ann), slug=tournament.slug, name="  Maria   Ionescu ").player
    assert (guest.name, guest.is_guest, guest.user) == ("Maria Ionescu", True, None)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"username": "nobody"}, "player"),
        ({"name": ""}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "\u202eevil"}, "name"),
    ],
)
def test_bad_entrants_are_refused(ann, arguments, field):
    tournament = open_tournament(ann)
    with pytest.raises(BadInput) as refusal:
        entries.add(actor=actor(ann), slug=tournament.slug, **arguments)
    assert refusal.value.field == field
    assert not Entry.objects.exists()


def test_a_list_is_taken_whole_or_not_at_all(ann, ben):
    tournament = open_tournament(ann)
    with pytest.raises(BadInput, match=r"Line 3 \(Ben\)"):
        entries.add_list(actor=actor(ann), slug=tournament.slug, names="ben\n\nBen\nMaria")
    assert not Entry.objects.exists()
    assert not Player.objects.filter(name="Maria").exists()
    made = entries.add_list(actor=actor(ann), slug=tournament.slug, names="ben\n\n Maria \nMaria\n")
    assert [entry.player.name for entry in made] == ["Ben", "Maria", "Maria"]


def test_leaving_before_the_start_removes_the_entry_and_the_pairing(ann, ben):
    tournament = open_tournament(ann)
    enter_players(tournament, ann, 4)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    assert entries.withdraw(actor=actor(ben), slug=tournament.slug, entry_id=entry.pk) is None
    assert not Entry.objects.filter(player=ben).exists()
    assert not Round.objects.exists()


def test_leaving_afterwards_keeps_the_records(ann, ben):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 5)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    play_round(tournament, ann)
    left = entries.withdraw(actor=actor(ben), slug=tournament.slug, entry_id=entry.pk)
    assert left.withdrawn_after == 1
    with pytest.raises(AlreadyWithdrawn):
        entries.withdraw(actor=actor(ben), slug=tournament.slug, entry_id=entry.pk)
    play_round(tournament, ann)
    assert [r.kind for r in entry.participations.order_by("round__number")] == [Kind.PAIRED, Kind.WITHDRAWN]


def test_who_left_may_come_back(ann, ben):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 5)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    play_round(tournament, ann)
    entries.withdraw(actor=actor(ben), slug=tournament.slug, entry_id=entry.pk)
    play_round(tournament, ann)
    entries.enter(actor=actor(ben), slug=tournament.slug)
    play_round(tournament, ann)
    kinds = [r.kind for r in entry.participations.order_by("round__number")]
    assert kinds == [Kind.PAIRED, Kind.WITHDRAWN, Kind.PAIRED]


def test_a_late_entry_has_a_record_of_every_missed_round(ann, ben):
    tournament = open_tournament(ann, rounds=4)
    enter_players(tournament, ann, 6)
    play_round(tournament, ann)
    play_round(tournament, ann)
    late = entries.enter(actor=actor(ben), slug=tournament.slug)
    assert late.entered_round == 3
    assert [r.kind for r in late.participations.all()] == [Kind.NOT_ENTERED] * 2


def test_the_last_round_closes_the_entries(ann, ben):
    tournament = open_tournament(ann, rounds=1)
    enter_players(tournament, ann, 4)
    pair_and_start(tournament, ann)
    with pytest.raises(EntriesClosed, match="last round"):
        entries.enter(actor=actor(ben), slug=tournament.slug)


def test_others_withdraw_nobody_and_the_organiser_anybody(ann, ben, cleo):
    tournament = open_tournament(ann)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    for somebody in (actor(cleo), NOBODY):
        with pytest.raises(Forbidden):
            entries.withdraw(actor=somebody, slug=tournament.slug, entry_id=entry.pk)
    entries.withdraw(actor=actor(ann), slug=tournament.slug, entry_id=entry.pk)
    assert not Entry.objects.exists()


def test_the_sites_own_staff_may_do_everything(ann, ben):
    tournament = open_tournament(ann)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    entries.withdraw(actor=Actor(None, everywhere=True), slug=tournament.slug, entry_id=entry.pk)
    assert not Entry.objects.exists()


def test_an_entry_of_another_tournament_is_not_found(ann, ben):
    here, there = open_tournament(ann), open_tournament(ann)
    entry = entries.enter(actor=actor(ben), slug=there.slug)
    with pytest.raises(NotFound):
        entries.withdraw(actor=actor(ann), slug=here.slug, entry_id=entry.pk)


@pytest.mark.parametrize(("kind", "record"), [("half", Kind.HALF_BYE), ("zero", Kind.ZERO_BYE)])
def test_a_requested_bye_is_recorded_when_the_round_is_paired(ann, ben, kind, record):
    tournament = open_tournament(ann, rounds=3)
    enter_players(tournament, ann, 4)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    entries.request_absence(
        actor=actor(ann), slug=tournament.slug, entry_id=entry.pk, round_number=1, kind=kind
    )
    pair_and_start(tournament, ann)
    assert entry.participations.get().kind == record


def test_a_player_may_stay_away_but_not_give_himself_half_a_point(ann, ben):
    tournament = open_tournament(ann)
    entry = entries.enter(actor=actor(ben), slug=tournament.slug)
    asked = {"actor": actor(ben), "slug": tournament.slug, "entry_id": entry.pk, "round_number": 2}
    assert entries.request_absence(**asked, kind="zero").kind == Absence.Kind.ZERO
    with pytest.raises(Forbidden):
        entries.request_absence(**asked, kind="half")
    entries.cancel_absence(**asked)
    assert not Absence.objects.exists()
    with pytest.raises(NotFound):
        entries.cancel_absence(**asked)


@pytest.mark.parametrize(("number", "kind"), [(1, "zero"), (4, "zero"), (2, "sick")])
def test_absences_are_for_rounds_to_come(ann, number, kind):
    tournament = open_tournament(ann, rounds=3)
    entry = enter_players(tournament, ann, 4)[0]
    pair_and_start(tournament, ann)
    with pytest.raises((EntriesClosed, BadInput)):
        entries.request_absence(
            actor=actor(ann), slug=tournament.slug, entry_id=entry.pk, round_number=number, kind=kind
        )


def test_an_absence_asked_for_after_the_pairing_makes_the_draft_outdated(ann):
    tournament = open_tournament(ann, rounds=3)
    entry = enter_players(tournament, ann, 4)[0]
    pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    entries.request_absence(
        actor=actor(ann), slug=tournament.slug, entry_id=entry.pk, round_number=1, kind="zero"
    )
    draft, made = pairings.pair_next(actor=actor(ann), slug=tournament.slug)
    assert made
    assert draft.participations.get(entry=entry).kind == Kind.ZERO_BYE


def test_a_club_organiser_runs_the_tournaments_of_his_club(ann, ben):
    club = tournaments.create_club(actor=actor(ben), name="Café Quarto")
    tournament = open_tournament(ann)
    tournament.club = club
    tournament.save()
    assert entries.add(actor=actor(ben), slug=tournament.slug, name="Maria").player.name == "Maria"


def test_names_of_more_than_one_script_enter(ann):
    tournament = open_tournament(ann)
    made = entries.add_list(actor=actor(ann), slug=tournament.slug, names="Мария\nȘtefan\nŽofie\n田中")
    assert len(made) == 4
    assert person("Đorđe").name == "Đorđe"
