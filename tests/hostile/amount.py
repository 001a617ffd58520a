"""How much is tried: what CI has time for, times QUARTO_TESTS_FUZZ (`make fuzz` sets it)."""

import os

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("QUARTO_TESTS_FUZZ", "1"))


def examples(count: int) -> settings:
    """So many examples, times what was asked for. A failure prints what gives it again."""
    return settings(
        max_examples=count * TIMES,
        deadline=None,
        print_blob=True,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
            HealthCheck.function_scoped_fixture,
        ],
    )
