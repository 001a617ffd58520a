"""The addresses of tournaments: pages, and those under /api/."""

from django.urls import path

from tournaments.api import entries, exports, rounds, tournaments
from tournaments.views import desk, making, pages

ONE = "tournaments/<slug:slug>/"

DESK = f"{ONE}manage/"

urlpatterns = [
    path("tournaments/", pages.tournament_list, name="tournaments"),
    path("tournaments/new/", making.new, name="tournament_new"),
    path(ONE, pages.tournament, name="tournament"),
    path(f"{ONE}enter/", pages.enter, name="tournament_enter"),
    path(f"{ONE}leave/<int:entry_id>/", pages.leave, name="tournament_leave"),
    path(f"{ONE}away/<int:entry_id>/<int:number>/", pages.away, name="tournament_away"),
    path(f"{ONE}rounds/<int:number>/", pages.round_page, name="tournament_round"),
    path(f"{ONE}standings/", pages.standings, name="tournament_standings"),
    path(f"{ONE}boards/", pages.boards, name="tournament_boards"),
    path(f"{ONE}screen/", pages.screen, name="tournament_screen"),
    path(DESK, desk.manage, name="tournament_manage"),
    path(f"{DESK}regulations/", making.change, name="tournament_change"),
    path(f"{DESK}publish/", desk.publish, name="tournament_publish"),
    path(f"{DESK}entries/", desk.add_entries, name="tournament_add_entries"),
    path(f"{DESK}entries/<int:entry_id>/withdraw/", desk.withdraw, name="tournament_withdraw"),
    path(f"{DESK}entries/<int:entry_id>/reinstate/", desk.reinstate, name="tournament_reinstate"),
    path(f"{DESK}entries/<int:entry_id>/absence/<int:number>/", desk.absence, name="tournament_absence"),
    path(f"{DESK}pair/", desk.pair, name="tournament_pair"),
    path(f"{DESK}by-hand/", desk.by_hand, name="tournament_by_hand"),
    path(f"{DESK}finish/", desk.finish, name="tournament_finish"),
    path(f"{DESK}rounds/<int:number>/show/", desk.show_pairings, name="tournament_show_pairings"),
    path(f"{DESK}rounds/<int:number>/discard/", desk.discard, name="tournament_discard"),
    path(f"{DESK}rounds/<int:number>/start/", desk.start, name="tournament_start"),
    path(f"{DESK}rounds/<int:number>/boards/<int:board>/", desk.result, name="tournament_result"),
    path(f"{DESK}pause/", desk.pause, name="tournament_pause"),
    path(f"{DESK}resume/", desk.resume, name="tournament_resume"),
    path(f"{DESK}staff/", desk.appoint, name="tournament_appoint"),
]

api_urlpatterns = [
    path("tournaments/", tournaments.Tournaments.as_view(), name="api_tournaments"),
    path(ONE, tournaments.OneTournament.as_view(), name="api_tournament"),
    path(f"{ONE}entries/", entries.Entries.as_view(), name="api_entries"),
    path(f"{ONE}entries/<int:entry_id>/", entries.OneEntry.as_view(), name="api_entry"),
    path(f"{ONE}entries/<int:entry_id>/absence/", entries.Absences.as_view(), name="api_absences"),
    path(
        f"{ONE}entries/<int:entry_id>/absence/<int:number>/", entries.OneAbsence.as_view(), name="api_absence"
    ),
    path(f"{ONE}rounds/", rounds.Rounds.as_view(), name="api_rounds"),
    path(f"{ONE}rounds/<int:number>/", rounds.OneRound.as_view(), name="api_round"),
    path(f"{ONE}rounds/<int:number>/start/", rounds.StartRound.as_view(), name="api_round_start"),
    path(
        f"{ONE}rounds/<int:number>/boards/<int:board>/result/",
        rounds.BoardResult.as_view(),
        name="api_board_result",
    ),
    path(f"{ONE}standings/", rounds.Standings.as_view(), name="api_standings"),
    path(f"{ONE}export.json", exports.ExportJson.as_view(), name="api_export_json"),
    path(f"{ONE}export.csv", exports.ExportCsv.as_view(), name="api_export_csv"),
    path(f"{ONE}export.trf", exports.ExportTrf.as_view(), name="api_export_trf"),
    path(f"{ONE}records/", exports.Records.as_view(), name="api_tournament_records"),
]
