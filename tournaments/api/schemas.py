"""What programs send and get, field by field."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.fields import Flag, Text
from tournaments.models import Absence, Result, Tournament
from tournaments.services.results import CLEAR

POINTS = {"0": 0, "0.0": 0, "0.5": 1, "1": 2, "1.0": 2}


class Whole(serializers.IntegerField):
    """A JSON integer and nothing that could be read as one."""

    default_error_messages = {"invalid": _("Not a whole number.")}

    def to_internal_value(self, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail("invalid")
        return super().to_internal_value(value)


@extend_schema_field(str)
class PointsField(serializers.Field[int, Any, str, Any]):
    """Points as a decimal string (or number), kept as half points."""

    default_error_messages = {"invalid": _("Points are 0, 0.5 or 1.")}

    def to_internal_value(self, value: Any) -> int:
        if isinstance(value, bool) or str(value) not in POINTS:
            self.fail("invalid")
        return POINTS[str(value)]

    def to_representation(self, value: Any) -> str:
        return str(value)


class TournamentBody(serializers.Serializer[Any]):
    """The regulations; only `name` is needed, and for a change nothing is."""

    name = Text(max_length=80)
    format = Text(required=False, help_text="swiss, round_robin or double_round_robin")
    rounds = Whole(required=False, allow_null=True, min_value=1, max_value=200)
    description = Text(required=False, allow_blank=True, max_length=4000)
    rules = Text(required=False, help_text="L:F, LS:F, OS:F or with fewer attributes")
    claims = Text(required=False, help_text="lose, void or strikes=N")
    control = Text(required=False, help_text="turn=60, bank=450, bank=180 inc=5, turn=30 bank=120")
    rated = Flag(required=False)
    draws_allowed = Flag(required=False)
    grace_ms = Whole(required=False, min_value=0, max_value=2000)
    no_show_s = Whole(required=False, min_value=1, max_value=3600)
    over_the_board = Flag(required=False)
    tiebreaks = serializers.ListField(child=Text(max_length=12), required=False, max_length=12)
    bye_points = PointsField(required=False, source="bye_half_points")
    late_points = PointsField(required=False, source="late_half_points")
    swap_last_rounds = Flag(required=False)


class NewTournamentBody(TournamentBody):
    club = Text(required=False, allow_null=True, max_length=60)
    status = serializers.ChoiceField(
        required=False, choices=[Tournament.Status.DRAFT.value, Tournament.Status.PUBLISHED.value]
    )


class ChangeBody(TournamentBody):
    status = serializers.ChoiceField(required=False, choices=[Tournament.Status.PUBLISHED.value])


class ClubSchema(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class TournamentSchema(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    club = ClubSchema(allow_null=True)
    status = serializers.CharField(help_text="draft, published, running, complete")
    format = serializers.CharField()
    rounds = serializers.IntegerField(allow_null=True, help_text="null until round 1, where nobody set it")
    rules = serializers.CharField()
    claims = serializers.CharField()
    control = serializers.CharField()
    rated = serializers.BooleanField()
    draws_allowed = serializers.BooleanField()
    grace_ms = serializers.IntegerField()
    no_show_s = serializers.IntegerField()
    over_the_board = serializers.BooleanField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    bye_points = serializers.CharField()
    late_points = serializers.CharField()
    swap_last_rounds = serializers.BooleanField()
    first_seat = serializers.IntegerField(allow_null=True, help_text="seat of the top number in round 1")
    edition = serializers.CharField()
    players = serializers.IntegerField(help_text="who has not withdrawn")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class EntryBody(serializers.Serializer[Any]):
    """Nothing: oneself. `player`: somebody's account; `name`: a guest. Both for organisers."""

    player = Text(required=False, max_length=150)
    name = Text(required=False, max_length=64)


class AbsenceBody(serializers.Serializer[Any]):
    round = Whole(min_value=1, max_value=1000)
    kind = serializers.ChoiceField(choices=Absence.Kind.values)


class AbsenceSchema(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    kind = serializers.CharField()


class EntrySchema(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True, help_text="start number, from the first pairing on")
    player = serializers.CharField()
    name = serializers.CharField()
    rating = serializers.IntegerField()
    guest = serializers.BooleanField()
    status = serializers.CharField(help_text="active or withdrawn")
    entered_round = serializers.IntegerField()
    withdrawn_after = serializers.IntegerField(allow_null=True)
    absences = AbsenceSchema(many=True)


class SeatSchema(serializers.Serializer[Any]):
    entry = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    player = serializers.CharField()
    name = serializers.CharField()
    rating = serializers.IntegerField()


class ByeSchema(SeatSchema):
    kind = serializers.CharField(help_text="pairing_bye, half_bye, zero_bye (also: rests) or absent")


class BoardSchema(serializers.Serializer[Any]):
    board = serializers.IntegerField()
    starter = SeatSchema()
    second = SeatSchema()
    game = serializers.CharField(allow_null=True)
    result = serializers.CharField(allow_null=True)
    reason = serializers.CharField()
    by_arbiter = serializers.BooleanField()


class RoundSchema(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    status = serializers.CharField(help_text="draft, published, running, complete")
    boards = BoardSchema(many=True)
    byes = ByeSchema(many=True)
    waiting_for = serializers.ListField(child=serializers.IntegerField(), help_text="boards without a result")


class HandBoard(serializers.Serializer[Any]):
    starter = Whole(help_text="entry")
    second = Whole(help_text="entry")


class PairingBody(serializers.Serializer[Any]):
    """Nothing: the engine pairs. `boards` (and `bye`): paired by hand."""

    boards = HandBoard(many=True, required=False)
    bye = Whole(required=False, allow_null=True, help_text="entry")


class ResultBody(serializers.Serializer[Any]):
    result = serializers.ChoiceField(choices=[*Result.values, CLEAR])
    reason = Text(required=False, allow_blank=True, max_length=200)


class StandingSchema(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    entry = serializers.IntegerField()
    number = serializers.IntegerField()
    player = serializers.CharField()
    name = serializers.CharField()
    rating = serializers.IntegerField()
    points = serializers.CharField()
    tiebreaks = serializers.DictField(
        child=serializers.CharField(), help_text="by code, in the event's order"
    )
    withdrawn = serializers.BooleanField()
    counts = serializers.BooleanField(help_text="false for who left a round robin too early")
