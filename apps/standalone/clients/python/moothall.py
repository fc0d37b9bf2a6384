"""A Moothall for tests of pytest: `from moothall import moothall` in conftest.py. See docs/testing-with-moothall.md."""

import json
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

# Where Moothall is.
FOLDER = Path(os.environ["MOOTHALL"])


@contextmanager
def run_moothall(seed=None):
    """What the server says when it is ready: url, token, username, password, ssh_port, registry_url, seed."""
    command = ["node", str(FOLDER / "tools/start.mjs"), "--ephemeral", "--until-eof"]
    if seed is not None:
        command += ["--seed", str(seed)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline()
        if not line:
            raise RuntimeError("Moothall ended at its start; its messages are above")
        try:
            yield json.loads(line)
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def moothall():
    """One server for all tests. With MOOTHALL_SEED, the path of a seed, it begins with what that names."""
    with run_moothall(os.environ.get("MOOTHALL_SEED")) as server:
        yield server
