"""What waits for a player when he comes."""

from typing import Any

from games.queries.challenges import challenge_frame, challenges_to


def inbox(player_id: int) -> list[dict[str, Any]]:
    """The challenges that wait for his answer, as frames of his socket, the newest first."""
    return [challenge_frame(challenge, player_id) for challenge in challenges_to(player_id)]
