"""A player's page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.queries.players import player_page
from ratings.models import Player


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """`?pool=` chooses the history shown, `?page=` the page of games."""
    try:
        shown = player_page(username, pool=request.GET.get("pool"), number=request.GET.get("page"))
    except Player.DoesNotExist as error:
        raise Http404 from error
    return render(request, "games/player.html", {"player": shown.profile.player, "shown": shown})
