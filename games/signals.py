"""The only signal of the site.

`game_finished(sender=Game, game=<the row>)` is sent by the referee inside the transaction that
ends a game. A receiver updates its own row and nothing else; one that raises is rolled back alone.
"""

from django.dispatch import Signal

game_finished = Signal()
