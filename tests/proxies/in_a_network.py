"""Run in a network namespace of its own: loads a ruleset and counts whom the kernel lets in at port 443.

Takes the path of `nft` and the file. Prints how many connections an address got, and how many another one.
"""

import fcntl
import socket
import struct
import subprocess
import sys

SET_FLAGS, UP_AND_RUNNING = 0x8914, 0x41
TRIES = 510


def reaches(source: str) -> socket.socket | None:
    try:
        return socket.create_connection(("127.0.0.1", 443), source_address=(source, 0), timeout=5)
    except OSError:
        return None


def main(nft: str, rules: str) -> None:
    with socket.socket() as loopback:
        fcntl.ioctl(loopback, SET_FLAGS, struct.pack("16sh22x", b"lo", UP_AND_RUNNING))
    subprocess.run([nft, "-f", rules], check=True)
    with socket.create_server(("", 443), backlog=2 * TRIES):
        crowd = [reaches("127.0.0.2") for _time in range(TRIES)]
        another = reaches("127.0.0.3")
        print(len([connection for connection in crowd if connection]), 1 if another else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
