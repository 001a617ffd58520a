"""Making a tournament, and changing its regulations."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments import regulations
from tournaments.errors import Forbidden, NotFound, TournamentError
from tournaments.forms import ProposalForm, TournamentForm, initial_of, proposed
from tournaments.policies import actor_of
from tournaments.proposal import propose
from tournaments.queries import desk as queries
from tournaments.services import tournaments
from tournaments.views.pages import friendly

USUAL_EVENING = {"players": 12, "minutes": 120}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form proposes what suits `?players=` and `?minutes=`."""
    asked = ProposalForm(request.GET if "players" in request.GET else USUAL_EVENING)
    proposal = propose(**asked.cleaned_data if asked.is_valid() else USUAL_EVENING)
    form = TournamentForm(request.POST or None, initial=proposed(proposal))
    if request.method == "POST" and form.is_valid():
        try:
            made = tournaments.create(
                actor=actor_of(request.user), wanted=form.regulations(), publish="publish" in request.POST
            )
        except TournamentError as error:
            form.refuse(str(error), error.field)
        else:
            if made.status == made.Status.DRAFT:
                words = _("Your draft is kept. Nobody else sees it yet.")
            else:
                words = _("Your tournament is there. Now the players can enter.")
            messages.success(request, words)
            return redirect("tournament_manage", slug=made.slug)
    return render(request, "tournaments/new.html", {"form": form, "asked": asked, "proposal": proposal})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@friendly
def change(request: HttpRequest, slug: str) -> HttpResponse:
    page = queries.desk(slug, actor_of(request.user))
    if not page.head.is_organiser:
        raise Forbidden
    tournament = page.head.tournament
    form = TournamentForm(request.POST or None, initial=initial_of(regulations.of(tournament)))
    form.keep_to(tournament)
    if request.method == "POST" and form.is_valid():
        try:
            tournaments.change(actor=actor_of(request.user), slug=slug, changes=form.changes())
        except (NotFound, Forbidden):
            raise
        except TournamentError as error:
            form.refuse(str(error), error.field)
        else:
            messages.success(request, _("The changes are in force."))
            return redirect("tournament_manage", slug=slug)
    return render(request, "tournaments/change.html", {"form": form, "head": page.head})
