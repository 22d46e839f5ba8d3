"""What a program that only plays needs to load."""

import subprocess
import sys

#: What only a server needs.
FOR_SERVERS = ("brocante.server", "starlette", "uvicorn", "segno", "prometheus_client", "itsdangerous", "psycopg")


def test_the_client_loads_nothing_of_the_server() -> None:
    program = "import sys, brocante.client; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "brocante.client" in loaded
    assert [name for name in loaded if name.startswith(FOR_SERVERS)] == []
