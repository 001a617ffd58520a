"""nginx and Caddy on the shipped files, of which only addresses, ports and the certificate are changed."""

import os
import socket
import ssl
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.server import ROOT
from tests.services.machines import Machine, binary, free_port

DEPLOY = ROOT / "docs/deploy"
MAIN_NGINX = """
daemon off;
user {user};
pid nginx.pid;
error_log stderr;
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include site.conf;
}}
"""


def missing() -> list[str]:
    """The Debian packages that these tests lack."""
    wanted = {
        "nginx": "nginx-light",
        "caddy": "caddy",
        "nft": "nftables",
        "openssl": "openssl",
        "systemd-analyze": "systemd",
    }
    return sorted({package for name, package in wanted.items() if binary(name) is None})


def shipped(name: str, changes: dict[str, str]) -> str:
    """A file of the documents with its addresses changed; each of them must be there."""
    text = (DEPLOY / name).read_text()
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def certify(folder: Path) -> None:
    """A certificate of its own for `localhost`."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", "key.pem", "-out", "certificate.pem", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


@cache
def trusting() -> ssl.SSLContext:
    """A client's side of TLS that takes any certificate.

    Without TLS 1.3, in which the server speaks first after the handshake: Python's sockets lose what one
    thread writes at the moment at which another reads that.
    """
    context = ssl.create_default_context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Front(Machine):
    """A proxy in front of `backends`, to clients what a server is to them."""

    def __init__(self, backends: Iterable[int]) -> None:
        super().__init__()
        self.plain_port = free_port()
        self.tls = trusting()
        certify(self.folder)
        self.configure(dict(zip(("127.0.0.1:8001", "127.0.0.1:8002"), map(address, backends), strict=True)))

    def configure(self, backends: dict[str, str]) -> None:
        """Writes its files; `backends` are the changes of their addresses."""
        raise NotImplementedError

    def answers(self) -> bool:
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"wss://localhost:{self.port}"

    def next_url(self) -> str:
        return self.url

    def next_socket_url(self) -> str:
        return self.socket_url

    def connect(self, source: str = "127.0.0.1") -> ssl.SSLSocket:
        """A bare connection from an address of this machine."""
        bare = socket.create_connection(("127.0.0.1", self.port), source_address=(source, 0))
        return trusting().wrap_socket(bare, server_hostname="localhost")


def address(port: int) -> str:
    return f"127.0.0.1:{port}"


class Nginx(Front):
    def configure(self, backends: dict[str, str]) -> None:
        changes = {
            "listen 80 ": f"listen 127.0.0.1:{self.plain_port} ",
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
            "listen [::]:80 default_server;": "",
            "listen [::]:443 ssl http2 default_server;": "",
            "/etc/letsencrypt/live/club.example/fullchain.pem": "certificate.pem",
            "/etc/letsencrypt/live/club.example/privkey.pem": "key.pem",
            "club.example": "localhost",
        }
        user = "root" if os.getuid() == 0 else "nobody"
        (self.folder / "nginx.conf").write_text(MAIN_NGINX.format(user=user))
        (self.folder / "site.conf").write_text(shipped("nginx.conf", changes | backends))

    def command(self) -> list[str]:
        return [str(binary("nginx")), "-p", str(self.folder), "-c", "nginx.conf", "-e", "stderr"]


class Caddy(Front):
    def configure(self, backends: dict[str, str]) -> None:
        tls = f"tls {self.folder}/certificate.pem {self.folder}/key.pem"
        changes = {
            "Host club.example": "Host localhost",
            "\nclub.example {": f"\nhttps://localhost:{self.port} {{\n\tbind 127.0.0.1\n\t{tls}",
            "{\n\tservers {": f"{{\n\tadmin off\n\thttp_port {self.plain_port}\n\tservers {{",
        }
        (self.folder / "Caddyfile").write_text(shipped("Caddyfile", changes | backends))

    def command(self) -> list[str]:
        places = [f"{name}={self.folder}" for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")]
        return ["env", *places, str(binary("caddy")), "run", "--config", "Caddyfile"]
