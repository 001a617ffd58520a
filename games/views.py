"""The page of a game, and the forms that lead to one."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import GameError
from games.forms import ChallengeForm
from games.models import Challenge
from games.phrases import phrases
from games.queries.page import game_page
from games.services import challenges
from games.services.games import BadTerms
from ratings.models import Player


def player_or_none(request: HttpRequest) -> Player | None:
    """The player of whoever asks; an account without one (a maintainer's) watches like a stranger."""
    return getattr(request.user, "player", None)


@never_cache
@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    player = player_or_none(request)
    shown = game_page(game_id, player.pk if player else None)
    if shown is None:
        raise Http404
    context = {"game": shown.game, "options": shown.options, "phrases": phrases()}
    return render(request, "games/game.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest) -> HttpResponse:
    """Offers a game: to `?opponent=`, or to anybody."""
    form = ChallengeForm(request.POST or None, initial={"opponent": request.GET.get("opponent", "")})
    if request.method == "POST" and form.is_valid():
        opponent, terms = form.opponent_and_terms()
        try:
            made = challenges.create_challenge(challenger=_player(request), opponent=opponent, terms=terms)
        except BadTerms as error:
            form.refuse(error)
        except GameError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _waits(made))
            return redirect("home")
    return render(request, "games/challenge.html", {"form": form})


def _player(request: HttpRequest) -> Player:
    player = player_or_none(request)
    if player is None:
        raise challenges.NotYours
    return player


def _waits(made: Challenge) -> str:
    if made.opponent is None:
        return _("Your seek is open. The board appears here as soon as somebody accepts.")
    words = _("%(name)s is being asked. The board appears here as soon as the answer is yes.")
    return words % {"name": made.opponent.name}


def _answer(request: HttpRequest, service: Callable[[Player], Challenge]) -> HttpResponse:
    """To the board where there is one now, otherwise back to the lobby, in words where it was refused."""
    try:
        answered = service(_player(request))
    except GameError as error:
        messages.error(request, str(error))
        return redirect("home")
    return redirect("game", game_id=answered.game_id) if answered.game_id else redirect("home")


@login_required
@require_POST
def accept(request: HttpRequest, challenge_id: str) -> HttpResponse:
    return _answer(request, lambda player: challenges.accept(challenge_id=challenge_id, player=player))


@login_required
@require_POST
def decline(request: HttpRequest, challenge_id: str) -> HttpResponse:
    return _answer(request, lambda player: challenges.decline(challenge_id=challenge_id, player=player))


@login_required
@require_POST
def cancel(request: HttpRequest, challenge_id: str) -> HttpResponse:
    return _answer(request, lambda player: challenges.cancel(challenge_id=challenge_id, player=player))


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: str) -> HttpResponse:
    return _answer(request, lambda player: challenges.rematch(game_id=game_id, player=player))
