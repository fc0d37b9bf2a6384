"""A Moothall for tests of pytest: installed, it gives the fixtures `moothall` and `fresh_moothall`. See README.md."""

import json
import os
import shlex
import socket
import subprocess
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("moothall")
    group.addoption("--moothall", help="command, folder or image:<name> that starts Moothall; MOOTHALL, or `npx moothall`, unless set")
    group.addoption("--moothall-seed", help="file that the server begins with; MOOTHALL_SEED unless set")


class Moothall(dict):
    """What a server says when it is ready: url, token, username, password, ssh_port, registry_url, seed."""

    def reset(self):
        """Sets everything back to how it was when the server was ready. Raises HTTPError where it cannot."""
        request = urllib.request.Request(
            self["url"] + "/-/reset", method="POST", headers={"PRIVATE-TOKEN": self["token"]}
        )
        urllib.request.urlopen(request).close()


@contextmanager
def run_moothall(where=None, seed=None):
    """A server of your own, until the end of the block.

    :param where: a folder of Moothall, ``image:<name>`` for docker, or a command; ``npx moothall`` unless given
    :param seed: path of a seed file
    """
    command = _command(where or os.environ.get("MOOTHALL") or "npx moothall", seed)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline()
        if not line:
            raise RuntimeError("Moothall ended at its start; its messages are above")
        try:
            yield Moothall(json.loads(line))
        finally:
            # It ends with its stdin, also inside a container.
            server.stdin.close()
            server.wait()


def _command(where, seed):
    options = ["--ephemeral", "--until-eof"]
    if where.startswith("image:"):
        return [*_docker(where[len("image:"):], seed), *options, *(["--seed", "/seed"] if seed else [])]
    options += ["--seed", str(Path(seed).resolve())] if seed else []
    if (Path(where) / "tools/start.mjs").is_file():
        return ["node", str(Path(where) / "tools/start.mjs"), *options]
    return [*shlex.split(where), *options]


def _docker(image, seed):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    settings = ["--env", f"PORT={port}", "--env", f"EXTERNAL_URL={url}"]
    seeded = ["--volume", f"{Path(seed).resolve()}:/seed:ro"] if seed else []
    run = ["docker", "run", "--rm", "--interactive", "--publish", f"127.0.0.1:{port}:{port}", *settings, *seeded]
    return [*run, image, "node", "apps/standalone/dist/main.js"]


@pytest.fixture(scope="session")
def moothall(request):
    """One server for all tests."""
    option = request.config.getoption
    seed = option("--moothall-seed") or os.environ.get("MOOTHALL_SEED")
    with run_moothall(option("--moothall"), seed) as server:
        yield server


@pytest.fixture
def fresh_moothall(moothall):
    """The same server, set back after the test."""
    yield moothall
    moothall.reset()
