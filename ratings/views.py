"""The rating list's page."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratings import queries
from ratings.models import Pool

ROWS = 50


@require_safe
def rating_list(request: HttpRequest) -> HttpResponse:
    """One pool's list, best first, paged; `?name=` looks for a player."""
    pool = request.GET.get("pool", Pool.L.value)
    name = request.GET.get("name", "").strip()
    try:
        rows = queries.rating_list(pool, name=name)
    except queries.UnknownPool as error:
        raise Http404 from error
    page: Page[queries.Listed] = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    return render(
        request,
        "ratings/list.html",
        {
            "page": page,
            "pool": Pool(pool),
            "pools": Pool.choices,
            "name": name,
        },
    )
