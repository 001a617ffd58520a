"""The site's own numbers, and the port on which Prometheus asks for all of them.

A port of its own, for the operator's network: what runs here is nobody else's business.
"""

import logging
from collections.abc import Iterator

from django.db import connections
from prometheus_client import REGISTRY, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from games.live import layer_is_heard
from games.metrics import QUEUE
from games.referee import referee

logger = logging.getLogger(__name__)

REQUEST_S = Histogram(
    "quarto_request_seconds",
    "Requests by route and status; a long poll takes as long as it waits.",
    ["route", "status"],
    buckets=(0.01, 0.05, 0.25, 1, 5),
)


class Surroundings(Collector):
    """What a process needs of others, asked when Prometheus asks: the channel layer and the database's pool."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        is_heard = layer_is_heard()
        if is_heard is not None:
            yield GaugeMetricFamily("quarto_layer_heard", "Whether the other processes are heard.", is_heard)
        pool = getattr(connections["default"], "pool", None)
        if pool is not None:
            yield from pool_numbers(pool.get_stats())

    def describe(self) -> list[GaugeMetricFamily]:
        return []


def pool_numbers(stats: dict[str, int]) -> Iterator[GaugeMetricFamily]:
    """Of what the pool of psycopg says about itself."""
    family = GaugeMetricFamily(
        "quarto_database_connections", "Connections of the pool, and its limit.", labels=["state"]
    )
    idle = stats.get("pool_available", 0)
    family.add_metric(["idle"], idle)
    family.add_metric(["used"], stats.get("pool_size", 0) - idle)
    family.add_metric(["limit"], stats.get("pool_max", 0))
    yield family
    waiting = stats.get("requests_waiting", 0)
    yield GaugeMetricFamily("quarto_database_waiting", "Who waits for a connection of the pool.", waiting)


def serve(host: str, port: int) -> None:
    """Shows all numbers over HTTP in a thread of its own. Raises OSError where it cannot listen."""
    QUEUE.set_function(lambda: referee.waiting)
    REGISTRY.register(Surroundings())
    server, _thread = start_http_server(port, addr=host)
    logger.info("metrics are shown on http://%s:%d/metrics", host, server.server_port)
