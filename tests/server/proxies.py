"""The proxies of deploy/, run as they are written but for names, ports and certificates, on this machine alone."""

import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.server.processes import PATIENCE, ROOT, free_port

#: Where Debian has the programs of administrators.
PATH = os.pathsep.join([os.environ["PATH"], "/usr/local/sbin", "/usr/sbin"])
DEPLOY = ROOT / "deploy"


class Proxy(NamedTuple):
    url: str
    unencrypted: str  # where the same site is without TLS
    authority: Path  # the certificate that vouches for it


def program(name: str) -> str:
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def certificate(folder: Path) -> Path:
    """A certificate that vouches for itself, with its key beside it."""
    subprocess.run(
        [
            *(program("openssl"), "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", folder / "brocante.key", "-out", folder / "brocante.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder / "brocante.pem"


def with_other_names(file: str, names: dict[str, str]) -> str:
    """A file of deploy/, in which each of these names is replaced."""
    text = (DEPLOY / file).read_text()
    for name, other in names.items():
        assert name in text, f"{file} has no {name}"
        text = text.replace(name, other)
    return text


def nginx_command(folder: Path, ports: tuple[int, int], servers: Sequence[int]) -> list[str | Path]:
    """nginx with deploy/nginx.conf as the sites of a configuration that is otherwise the plainest."""
    encrypted, plain = ports
    site = with_other_names(
        "nginx.conf",
        {
            "listen 80;": f"listen 127.0.0.1:{plain};",
            "listen 443 ": f"listen 127.0.0.1:{encrypted} ",
            "https://$host$request_uri": f"https://$host:{encrypted}$request_uri",
            "/etc/ssl/": f"{folder}/",
            "127.0.0.1:8000": f"127.0.0.1:{servers[0]}",
            "127.0.0.1:8001": f"127.0.0.1:{servers[1]}",
        },
    )
    folders = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.getuid() == 0 else ""
    main = f"{user} daemon off; pid {folder}/pid; error_log stderr; events {{ worker_connections 1024; }}"
    (folder / "main.conf").write_text(f"{main}\nhttp {{ access_log off;\n{folders}{site} }}\n")
    return [program("nginx"), "-p", folder, "-e", "stderr", "-c", folder / "main.conf"]


@contextmanager
def nginx(folder: Path, servers: Sequence[int]) -> Iterator[Proxy]:
    authority = certificate(folder)
    encrypted, plain = free_port(), free_port()
    proxy = Proxy(f"https://localhost:{encrypted}", f"http://127.0.0.1:{plain}", authority)
    with running(nginx_command(folder, (encrypted, plain), servers), folder, proxy):
        yield proxy


@contextmanager
def caddy(folder: Path, servers: Sequence[int]) -> Iterator[Proxy]:
    """Caddy with deploy/Caddyfile; its own authority makes the certificate."""
    encrypted, plain = free_port(), free_port()
    names = {"brocante-1:8000": f"127.0.0.1:{servers[0]}", "brocante-2:8000": f"127.0.0.1:{servers[1]}"}
    ports = f"default_bind 127.0.0.1\nhttp_port {plain}\nhttps_port {encrypted}"
    site = f"{{\n admin off\n skip_install_trust\n{ports}\n}}\n{with_other_names('Caddyfile', names)}"
    (folder / "Caddyfile").write_text(site)
    command: list[str | Path] = [
        *(program("caddy"), "run", "--adapter", "caddyfile", "--config"),
        folder / "Caddyfile",
    ]
    authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    proxy = Proxy(f"https://localhost:{encrypted}", f"http://localhost:{plain}", authority)
    with running(command, folder, proxy, SITE="localhost", HOME=str(folder), XDG_DATA_HOME=str(folder)):
        yield proxy


PROXIES: dict[str, Callable[[Path, Sequence[int]], AbstractContextManager[Proxy]]] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def running(command: Sequence[str | Path], folder: Path, proxy: Proxy, **environment: str) -> Iterator[None]:
    """A proxy from the moment that it answers and what is behind it is well."""
    with (folder / "proxy.log").open("w+") as log:
        process = subprocess.Popen(command, cwd=folder, env=os.environ | environment, stdout=log, stderr=log)
        try:
            until = time.monotonic() + PATIENCE
            while not is_reached(proxy):
                if process.poll() is not None or time.monotonic() > until:
                    raise AssertionError(f"the proxy does not answer:\n{(folder / 'proxy.log').read_text()}")
                time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait()


def is_reached(proxy: Proxy) -> bool:
    try:
        trusted = ssl.create_default_context(cafile=proxy.authority)
        return httpx.get(f"{proxy.url}/healthz", verify=trusted, trust_env=False).is_success
    except (OSError, httpx.TransportError):
        return False
