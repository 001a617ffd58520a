"""The one writer of bans, of ended access, and of tries to sign in."""
