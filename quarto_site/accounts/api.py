"""Accounts and tokens for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.fields import Text, refused
from quarto_site.accounts import queries, services
from quarto_site.limits import address_of
from quarto_site.names import LONGEST


class Credentials(serializers.Serializer[Any]):
    username = Text(max_length=4 * LONGEST)
    password = Text(max_length=services.PASSWORD_LONGEST, trim_whitespace=False)


class AccountFields(serializers.Serializer[Any]):
    player = serializers.CharField(help_text="The user name, as in addresses.")
    name = serializers.CharField(help_text="The name as it is shown.")


class TokenFields(serializers.Serializer[Any]):
    token_key = serializers.CharField(help_text="The beginning of the token.")
    created = serializers.DateTimeField()


class NewToken(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="For `Authorization: Bearer <token>`; shown this once.")


def credentials_in(request: Request) -> dict[str, str]:
    fields = Credentials(data=request.data)
    fields.is_valid(raise_exception=True)
    return fields.validated_data | {"address": address_of(request)}


class Accounts(APIView):
    # Nobody is signed in by what a body says, so a cookie that comes along means nothing here.
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        request=Credentials,
        responses={
            201: AccountFields,
            400: refused("`bad_request`: the name or the password cannot be one."),
            409: refused("`name_taken`: also by a name that differs in case or in look-alike letters only."),
            429: refused("`rate_limited`"),
        },
    )
    def post(self, request: Request) -> Response:
        """Sign up."""
        player = services.open_account(**credentials_in(request))
        return Response({"player": player.username, "name": player.name}, status.HTTP_201_CREATED)


class Tokens(ListAPIView[Any]):
    """Tokens of programs: they never expire, one can have several, only their hashes are kept."""

    serializer_class = TokenFields

    def get_authenticators(self) -> list[Any]:
        return [] if self._is_sign_in() else super().get_authenticators()

    def _is_sign_in(self) -> bool:
        return self.request is not None and self.request.method == "POST"

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self._is_sign_in() else IsAuthenticated()]

    def get_queryset(self) -> Any:
        return queries.tokens_of(queries.person_of(self.request))

    @extend_schema(responses={200: TokenFields(many=True), 401: refused("`not_signed_in`")})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """My tokens, the newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=Credentials,
        responses={
            201: NewToken,
            400: refused("`bad_request`"),
            401: refused("`wrong_credentials`"),
            403: refused("`forbidden`: the account is closed."),
            429: refused("`rate_limited`: `Retry-After` says for how long."),
        },
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """A new token."""
        token = services.sign_in_program(**credentials_in(request))
        return Response({"token": token}, status.HTTP_201_CREATED)


class OneToken(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses={204: None, 404: refused("`not_found`: you have no such token.")})
    def delete(self, request: Request, token_key: str) -> Response:
        """Revoke a token and close what is open on it."""
        services.revoke_token(user=queries.person_of(request), token_key=token_key)
        return Response(status=status.HTTP_204_NO_CONTENT)
