"""Who visits, where the site stands behind proxies.

A proxy names whom it serves in X-Forwarded-For, and so may anybody who claims to be one: the header is
read backwards from the connection, for as long as each hop is a proxy of QUARTO_TRUSTED_PROXIES. What
stands before the first that is not was written by a stranger and counts for nothing.
"""

from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

Network = IPv4Network | IPv6Network


def visitor(peer: str, hops: Iterable[str], trusted: Collection[Network]) -> str:
    """The address of whoever came to the outermost proxy that is trusted.

    `peer` is the other end of the connection, `hops` what X-Forwarded-For says, the nearest last.
    Where all are trusted it is the first; a hop that is no address ends the way as well.

    >>> from ipaddress import ip_network
    >>> visitor("127.0.0.1", ["6.6.6.6", "192.0.2.7"], [ip_network("127.0.0.1")])
    '192.0.2.7'
    >>> visitor("192.0.2.7", ["6.6.6.6"], [ip_network("127.0.0.1")])
    '192.0.2.7'
    """
    nearest = peer
    for hop in (peer, *reversed([hop.strip() for hop in hops])):
        address = _address(hop)
        if address is None:
            break
        nearest = str(address)
        if not any(address in network for network in trusted):
            break
    return nearest


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class BehindProxies:
    """Gives requests and sockets alike the address of their visitor, and the scheme he sees.

    With `https` every visitor comes by TLS to a proxy in front, whatever a header says.
    """

    def __init__(self, application: Any, *, trusted: Collection[Network], https: bool) -> None:
        self._application, self._trusted, self._https = application, trusted, https

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        seen: dict[str, Any] = {}
        if self._trusted and scope.get("client"):
            peer, port = scope["client"]
            address = visitor(peer, _hops(scope["headers"]), self._trusted)
            seen["client"] = [address, port if address == peer else 0]
        if self._https:
            seen["scheme"] = "wss" if scope["type"] == "websocket" else "https"
        await self._application(scope | seen, receive, send)


def _hops(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    values = [value.decode("latin1") for name, value in headers if name == b"x-forwarded-for"]
    return ",".join(values).split(",") if values else []
