"""The numbers of the live games, for Prometheus. `games.watch` counts; `quarto_site.metrics` shows them.

No label tells a game or a person: what a label may be is known before anybody comes.
"""

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

from games.refusals import REFUSALS

disable_created_metrics()

SOCKETS = Gauge("quarto_sockets", "Open sockets.", ["kind"])
SOCKETS_CLOSED = Counter("quarto_sockets_closed", "Sockets that were closed, by close code.", ["code"])
SLOW_FRAMES = Counter(
    "quarto_slow_frames", "Frames that a client which reads too slowly never got, and why.", ["fate"]
)
ACTIONS = Counter("quarto_actions", "Judged actions by outcome: ok, or the code of the refusal.", ["outcome"])
BATCH_SIZE = Histogram(
    "quarto_batch_actions", "Actions judged in one transaction.", buckets=(1, 2, 4, 8, 16, 32, 64, 128)
)
BATCH_S = Histogram(
    "quarto_batch_seconds",
    "A batch from the beginning of its transaction to the end of its commit.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
COMMIT_S = Histogram(
    "quarto_commit_seconds",
    "Writing a batch, to the end of its commit.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
SWEEP_LATE_S = Histogram(
    "quarto_sweep_late_seconds",
    "How long after deadline, grace and the 250 ms of the sweep a game was settled.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
QUEUE = Gauge("quarto_referee_queue", "Actions received and not yet judged.")
BEAT = Gauge("quarto_beat_timestamp_seconds", "When this process last proved that it judges.")
OUTAGES = Counter("quarto_outages", "Outages that this process found and credited.")
OUTAGE_S = Counter("quarto_outage_seconds", "Their length, without the ten seconds on top.")
OUTAGE_GAMES = Counter("quarto_outage_games", "Running games that they were credited to.")

CLOSE_CODES = frozenset((1000, 1001, 1005, 1006, 1009, 4001, 4003, 4004, 4008, 4012, 4029))
"""Those that the server or a well-behaved client sends; any other is counted as `other`."""

replaced, dropped = SLOW_FRAMES.labels("replaced"), SLOW_FRAMES.labels("dropped")
# Found by a plain look-up: this happens for every action.
outcomes = {code: ACTIONS.labels("ok" if code is None else code) for code in (None, "not_found", *REFUSALS)}
