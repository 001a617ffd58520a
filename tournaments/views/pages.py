"""Pages that everybody may read, and entering and leaving."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.servertime import now_ms
from tournaments.errors import Forbidden, NotFound, TournamentError
from tournaments.policies import actor_of
from tournaments.queries import pages
from tournaments.services import entries

View = Callable[..., HttpResponse]


def friendly(view: View) -> View:
    """What is not there is a 404 page, what is not allowed a 403 page."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error
        except Forbidden as error:
            raise PermissionDenied(str(error)) from error

    return answered


@never_cache
@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    return render(request, "tournaments/list.html", {"lists": pages.lists(actor_of(request.user))})


@never_cache
@require_safe
@friendly
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    page = pages.overview(slug, actor_of(request.user))
    return render(request, "tournaments/tournament.html", {"page": page, "head": page.head})


@never_cache
@require_safe
@friendly
def round_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    page = pages.round_page(slug, number, actor_of(request.user))
    return render(request, "tournaments/round.html", {"page": page, "head": page.head})


@never_cache
@require_safe
@friendly
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    after = request.GET.get("after", "")
    number = int(after) if after.isascii() and after.isdigit() and len(after) <= 4 else None
    page = pages.standings_page(slug, number, actor_of(request.user))
    return render(request, "tournaments/standings.html", {"page": page, "head": page.head})


@never_cache
@require_safe
@friendly
def boards(request: HttpRequest, slug: str) -> HttpResponse:
    page = pages.boards_page(slug, actor_of(request.user))
    return render(request, "tournaments/boards.html", {"page": page, "head": page.head})


@never_cache
@require_safe
@friendly
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """The projector's page; its address to join is shown in full."""
    page = pages.screen_page(slug, actor_of(request.user))
    context = {
        "page": page,
        "head": page.head,
        "address": request.build_absolute_uri(f"/tournaments/{slug}/"),
        "now_ms": now_ms(),
    }
    return render(request, "tournaments/screen.html", context)


@login_required
@require_POST
@friendly
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        entry = entries.enter(actor=actor_of(request.user), slug=slug)
    except (NotFound, Forbidden):
        raise
    except TournamentError as error:
        messages.error(request, str(error))
    else:
        words = _("You are in. You can play from round %(number)d on.")
        messages.success(request, words % {"number": entry.entered_round})
    return redirect("tournament", slug=slug)


@login_required
@require_POST
@friendly
def away(request: HttpRequest, slug: str, entry_id: int, number: int) -> HttpResponse:
    """A player misses a round, or (`back`) plays in it after all."""
    asked: dict[str, Any] = {
        "actor": actor_of(request.user),
        "slug": slug,
        "entry_id": entry_id,
        "round_number": number,
    }
    try:
        if "back" in request.POST:
            entries.cancel_absence(**asked)
        else:
            entries.request_absence(**asked, kind="zero")
    except (NotFound, Forbidden):
        raise
    except TournamentError as error:
        messages.error(request, str(error))
    else:
        words = (
            _("You play in round %(number)d.") if "back" in request.POST else _("You miss round %(number)d.")
        )
        messages.success(request, words % {"number": number})
    return redirect("tournament", slug=slug)


@login_required
@require_POST
@friendly
def leave(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    try:
        entries.withdraw(actor=actor_of(request.user), slug=slug, entry_id=entry_id)
    except (NotFound, Forbidden):
        raise
    except TournamentError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("You have left the tournament."))
    return redirect("tournament", slug=slug)
