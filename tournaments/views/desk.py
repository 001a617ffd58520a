"""The organiser's desk: one page, and one address for each thing that can be done there."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import BadInput, Forbidden, NotFound, TournamentError
from tournaments.forms import HandForm, NamesForm, StaffForm
from tournaments.policies import Actor, actor_of
from tournaments.queries import desk as queries
from tournaments.services import entries, pairings, results, rounds, tournaments
from tournaments.views.pages import View, friendly

Done = Callable[..., str]


@login_required
@never_cache
@require_safe
@friendly
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    return _desk(request, slug)


def _desk(
    request: HttpRequest, slug: str, *, names: Form | None = None, staff: Form | None = None
) -> HttpResponse:
    page = queries.desk(slug, actor_of(request.user))
    context = {
        "page": page,
        "head": page.head,
        "names_form": names or NamesForm(),
        "staff_form": staff or StaffForm(),
    }
    return render(request, "tournaments/manage.html", context)


def action(do: Done) -> View:
    """A POST that does one thing, says so, and returns to the desk; a refusal is said in its own words."""

    @login_required
    @require_POST
    @friendly
    def answered(request: HttpRequest, slug: str, **numbers: int) -> HttpResponse:
        try:
            said = do(request, actor_of(request.user), slug, **numbers)
        except (NotFound, Forbidden):
            raise
        except TournamentError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, said)
        return redirect("tournament_manage", slug=slug)

    return answered


@action
def publish(request: HttpRequest, actor: Actor, slug: str) -> str:
    tournaments.publish(actor=actor, slug=slug)
    return _("Entries are open.")


@action
def pair(request: HttpRequest, actor: Actor, slug: str) -> str:
    round_, made = pairings.pair_next(actor=actor, slug=slug)
    words = _("Round %(number)d is paired.") if made else _("Round %(number)d was paired already.")
    return words % {"number": round_.number}


@action
def show_pairings(request: HttpRequest, actor: Actor, slug: str, *, number: int) -> str:
    rounds.publish_pairings(actor=actor, slug=slug, number=number)
    return _("Everybody can see the pairings of round %(number)d now.") % {"number": number}


@action
def discard(request: HttpRequest, actor: Actor, slug: str, *, number: int) -> str:
    rounds.discard_draft(actor=actor, slug=slug, number=number)
    return _("The pairing of round %(number)d is discarded.") % {"number": number}


@action
def start(request: HttpRequest, actor: Actor, slug: str, *, number: int) -> str:
    rounds.start(actor=actor, slug=slug, number=number)
    return _("Round %(number)d has begun.") % {"number": number}


@action
def result(request: HttpRequest, actor: Actor, slug: str, *, number: int, board: int) -> str:
    entered = results.enter_result(
        actor=actor,
        slug=slug,
        round_number=number,
        board_number=board,
        result=request.POST.get("result", ""),
        reason=request.POST.get("reason", ""),
    )
    if entered.result is None:
        return _("Board %(board)d is open again.") % {"board": board}
    return _("Board %(board)d: %(result)s.") % {"board": board, "result": entered.get_result_display()}


@action
def withdraw(request: HttpRequest, actor: Actor, slug: str, *, entry_id: int) -> str:
    entry = entries.withdraw(actor=actor, slug=slug, entry_id=entry_id)
    if entry is None:
        return _("The entry is removed.")
    return _("%(name)s will not be paired any more.") % {"name": entry.player.name}


@action
def reinstate(request: HttpRequest, actor: Actor, slug: str, *, entry_id: int) -> str:
    entry = entries.reinstate(actor=actor, slug=slug, entry_id=entry_id)
    return _("%(name)s plays again from the next pairing on.") % {"name": entry.player.name}


@action
def absence(request: HttpRequest, actor: Actor, slug: str, *, entry_id: int, number: int) -> str:
    kind = request.POST.get("kind", "")
    if kind == "none":
        entries.cancel_absence(actor=actor, slug=slug, entry_id=entry_id, round_number=number)
        return _("The bye is taken back.")
    entries.request_absence(actor=actor, slug=slug, entry_id=entry_id, round_number=number, kind=kind)
    return _("The bye is noted for round %(number)d.") % {"number": number}


@action
def finish(request: HttpRequest, actor: Actor, slug: str) -> str:
    tournaments.finish(actor=actor, slug=slug)
    return _("The tournament is over.")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@friendly
def by_hand(request: HttpRequest, slug: str) -> HttpResponse:
    """Pairing by hand, or changing the draft."""
    actor = actor_of(request.user)
    page = queries.hand_page(slug, actor)
    form = HandForm(request.POST or None, present=page.present, boards=page.boards, bye=page.bye)
    if request.method == "POST" and form.is_valid():
        try:
            pairings.pair_by_hand(actor=actor, slug=slug, boards=form.boards(), bye=form.bye())
        except (NotFound, Forbidden):
            raise
        except TournamentError as error:
            form.add_error("bye" if error.field == "bye" else None, str(error))
        else:
            messages.success(request, _("Round %(number)d is paired.") % {"number": page.number})
            return redirect("tournament_manage", slug=slug)
    return render(request, "tournaments/by_hand.html", {"form": form, "page": page, "head": page.head})


@action
def pause(request: HttpRequest, actor: Actor, slug: str) -> str:
    count = tournaments.pause_games(actor=actor, slug=slug, reason=request.POST.get("reason", ""))
    return ngettext("%(count)d game is paused.", "%(count)d games are paused.", count) % {"count": count}


@action
def resume(request: HttpRequest, actor: Actor, slug: str) -> str:
    count = tournaments.resume_games(actor=actor, slug=slug)
    return ngettext("%(count)d game goes on.", "%(count)d games go on.", count) % {"count": count}


@login_required
@require_POST
@friendly
def add_entries(request: HttpRequest, slug: str) -> HttpResponse:
    """A list with a mistake comes back as it was typed."""
    form = NamesForm(request.POST)
    if form.is_valid():
        try:
            made = entries.add_list(actor=actor_of(request.user), slug=slug, names=form.cleaned_data["names"])
        except BadInput as error:
            form.add_error("names", str(error))
        except (NotFound, Forbidden):
            raise
        except TournamentError as error:
            form.add_error(None, str(error))
        else:
            words = ngettext("%(count)d player is in.", "%(count)d players are in.", len(made))
            messages.success(request, words % {"count": len(made)})
            return redirect("tournament_manage", slug=slug)
    return _desk(request, slug, names=form)


@login_required
@require_POST
@friendly
def appoint(request: HttpRequest, slug: str) -> HttpResponse:
    form = StaffForm(request.POST)
    if form.is_valid():
        try:
            staff = tournaments.appoint(actor=actor_of(request.user), slug=slug, **form.cleaned_data)
        except (NotFound, Forbidden):
            raise
        except TournamentError as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            words = _("%(name)s helps to run this tournament.")
            messages.success(request, words % {"name": staff.player.name})
            return redirect("tournament_manage", slug=slug)
    return _desk(request, slug, staff=form)
