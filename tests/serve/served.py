"""`cuset serve` as a child process, for the test programs of this folder: start it, ask it, kill it."""
import http.client
import json
import os
import subprocess
import sys


class Served:
    """A server on a port of its own, which stays the same when it is started again."""

    def __init__(self, program, arguments, port=0):
        self.command = [program, "serve", *arguments]
        self.port = port
        self.process = None

    def start(self):
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            sys.exit(f"the server does not start: {line!r}")
        self.port = int(line.rsplit(":", 1)[1])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        return self.process.wait()

    def descendants(self):
        """Processes that it started, and those that they started."""
        parents = {}
        for folder in os.scandir("/proc"):
            try:
                with open(f"{folder.path}/stat", encoding="utf-8", errors="replace") as file:
                    parents[int(folder.name)] = int(file.read().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
        found, last = set(), {self.process.pid}
        while last:
            last = {child for child, parent in parents.items() if parent in last and child not in found}
            found |= last
        return sorted(found)

    def resident_mebibytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def connection(self, timeout=600):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None):
        """Status and JSON of one request. Raises OSError or http.client.HTTPException where the server goes away."""
        connection = self.connection()
        try:
            return ask_on(connection, method, path, body)
        finally:
            connection.close()


def ask_on(connection, method, path, body=None):
    text = None if body is None else json.dumps(body)
    connection.request(method, path, text, {"Content-Type": "application/json"})
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read())
