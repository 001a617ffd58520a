"""The page on which staff of the site ban an account, or let it in again."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from quarto_site.accounts.forms import AccountForm
from quarto_site.accounts.queries import account_named, person_of
from quarto_site.accounts.services import AccountError
from quarto_site.services import bans


class BanForm(AccountForm):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=bans.REASON_LONGEST,
        help_text=gettext_lazy("Said to whoever signs in with the right password."),
    )


def _require_staff(request: HttpRequest) -> None:
    if not person_of(request).is_staff:
        raise PermissionDenied


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ban(request: HttpRequest, username: str) -> HttpResponse:
    """Asks before it does it."""
    _require_staff(request)
    account = account_named(username)
    if account is None:
        raise Http404
    form = BanForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            done = bans.ban(username=username, by=person_of(request), **form.cleaned_data)
        except AccountError as error:
            form.refuse(error)
        else:
            words = _("%(name)s is banned. Running games, which go on by their clocks: %(games)d.")
            messages.success(request, words % {"name": done.username, "games": done.running_games})
            return redirect("ban", username=done.username)
    return render(request, "accounts/ban.html", {"account": account, "form": form})


@login_required
@require_POST
def unban(request: HttpRequest, username: str) -> HttpResponse:
    _require_staff(request)
    try:
        name = bans.unban(username=username)
    except bans.NoSuchAccount as error:
        raise Http404 from error
    except AccountError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(name)s may sign in again.") % {"name": name})
    return redirect("ban", username=username)
