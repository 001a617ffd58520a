"""The account pages: sign up, in and out, the password, tokens for programs."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django.views.generic import FormView

from quarto_site.accounts import devices, queries, services
from quarto_site.accounts.forms import AccountForm, PasswordForm, SignInForm, SignUpForm
from quarto_site.accounts.services import AccountError, TooManyTries
from quarto_site.limits import address_of


def next_page(request: HttpRequest, otherwise: str) -> str:
    """The path where the person wanted to go, if that is of this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe and wanted.startswith("/") else resolve_url(otherwise)


@method_decorator([never_cache, sensitive_post_parameters()], name="dispatch")
class AccountPage(FormView):
    """A form with one service behind it; a refusal is shown beside its field."""

    http_method_names = ["get", "head", "post"]

    def form_valid(self, form: AccountForm) -> HttpResponse:
        try:
            self.serve(form.cleaned_data)
        except AccountError as error:
            form.refuse(error)
            return self._refused(form, error)
        return redirect(next_page(self.request, "home"))

    def _refused(self, form: AccountForm, error: AccountError) -> HttpResponse:
        response = self.form_invalid(form)
        if isinstance(error, TooManyTries):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response.headers["Retry-After"] = str(error.wait_s)
        return response

    def serve(self, fields: dict[str, Any]) -> None:
        """Calls the service with the form's fields."""
        raise NotImplementedError

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(next=next_page(self.request, "home"), **context)


class AtTheDoor(AccountPage):
    """A page for those who are not signed in; others go on."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and str(request.method).lower() in self.http_method_names:
            return redirect(next_page(request, "home"))
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: AccountForm) -> HttpResponse:
        response = super().form_valid(form)
        if self.request.user.is_authenticated:
            devices.remember(self.request, response, form.cleaned_data["username"])
        return response


class SignUpPage(AtTheDoor):
    form_class = SignUpForm
    template_name = "accounts/sign_up.html"

    def serve(self, fields: dict[str, Any]) -> None:
        services.sign_up(request=self.request, address=address_of(self.request), **fields)
        messages.success(self.request, _("Welcome! You can play now."))


class SignInPage(AtTheDoor):
    form_class = SignInForm
    template_name = "accounts/sign_in.html"

    def serve(self, fields: dict[str, Any]) -> None:
        services.sign_in(
            request=self.request,
            address=address_of(self.request),
            device=devices.device_of(self.request, fields["username"]),
            **fields,
        )


@method_decorator(login_required, name="dispatch")
class PasswordPage(AccountPage):
    form_class = PasswordForm
    template_name = "accounts/password.html"

    def serve(self, fields: dict[str, Any]) -> None:
        services.change_password(request=self.request, address=address_of(self.request), **fields)
        messages.success(self.request, _("Your password is changed. You are signed out everywhere else."))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    services.sign_out(request=request)
    return redirect("home")


@never_cache
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    return _account_page(request)


@never_cache
@login_required
@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """The new token is on the page that answers, and nowhere afterwards."""
    try:
        token = services.make_token(user=queries.person_of(request))
    except AccountError as error:
        messages.error(request, str(error))
        return redirect("account")
    return _account_page(request, new_token=token)


@login_required
@require_POST
def revoke_token(request: HttpRequest, token_key: str) -> HttpResponse:
    try:
        services.revoke_token(user=queries.person_of(request), token_key=token_key)
    except AccountError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The token is revoked."))
    return redirect("account")


def _account_page(request: HttpRequest, new_token: str | None = None) -> HttpResponse:
    context = {"tokens": queries.tokens_of(queries.person_of(request)), "new_token": new_token}
    return render(request, "accounts/account.html", context)
