"""Parts of bodies and schemas that the endpoints share."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiResponse, extend_schema_serializer
from rest_framework import serializers


class Text(serializers.CharField):
    """A JSON string and nothing that could be read as one."""

    default_error_messages = {"invalid": _("Not a text.")}

    def to_internal_value(self, value: object) -> str:
        if not isinstance(value, str):
            self.fail("invalid")
        return super().to_internal_value(value)


class Flag(serializers.BooleanField):
    """true or false, and nothing that could be read as one."""

    def to_internal_value(self, value: object) -> bool:
        if not isinstance(value, bool):
            self.fail("invalid", input=value)
        return value


@extend_schema_serializer(component_name="Refusal")
class Refusal(serializers.Serializer[Any]):
    """How every error is answered."""

    code = serializers.CharField(help_text="For programs.")
    detail = serializers.CharField(help_text="For people.")


def refused(words: str) -> OpenApiResponse:
    """An error in a schema: `responses={409: refused("`name_taken`")}`."""
    return OpenApiResponse(Refusal, description=words)


UNDER_MAINTENANCE = refused("`unavailable`: under maintenance nothing can be started.")
