#!/usr/bin/env python3
"""Many clients at once on `cuset serve --model`: no request fails, and memory stays where it is.

usage: load_server.py CUSET MODEL [--clients 16] [--seconds 5] [--tokens 32]

Every second request is a stream. Prints requests, errors, percentiles of the time to the whole answer and to the first piece of a
stream, and the server's resident memory when all clients have been served once and at the end.
"""
import argparse
import http.client
import json
import sys
import threading
import time

from served import Served, ask_on


class Measured:
    def __init__(self):
        self.lock = threading.Lock()
        self.whole, self.first, self.errors, self.tokens = [], [], [], 0

    def add(self, seconds, first, tokens):
        with self.lock:
            self.whole.append(seconds)
            self.tokens += tokens
            if first is not None:
                self.first.append(first)

    def fail(self, error):
        with self.lock:
            self.errors.append(repr(error))


def body_of(number, tokens):
    return {"prompt": f"// kernel {number}\n__global__ void", "max_tokens": tokens, "temperature": 0.8, "seed": number}


def ask_whole(connection, body):
    status, reply = ask_on(connection, "POST", "/v1/completions", body)
    if status != 200:
        raise ValueError(f"status {status}: {reply}")
    return None, reply["usage"]["completion_tokens"]


def ask_stream(connection, body):
    begin, first, tokens, is_complete = time.perf_counter(), None, 0, False
    body = body | {"stream": True, "stream_options": {"include_usage": True}}
    connection.request("POST", "/v1/completions", json.dumps(body), {"Content-Type": "application/json"})
    reply = connection.getresponse()
    if reply.status != 200:
        raise ValueError(f"status {reply.status}: {reply.read()!r}")
    for line in reply:
        if line.startswith(b"data: {"):
            first = first or time.perf_counter() - begin
            tokens = (json.loads(line[6:]).get("usage") or {}).get("completion_tokens", tokens)
        is_complete |= line.startswith(b"data: [DONE]")
    if not is_complete:
        raise ValueError("a stream ends early")
    return first, tokens


def client(server, number, options, measured, end):
    connection = server.connection()
    count = 0
    while time.monotonic() < end:
        begin = time.perf_counter()
        body = body_of(number * 100_000 + count, options.tokens)
        try:
            first, tokens = (ask_stream if count % 2 else ask_whole)(connection, body)
            measured.add(time.perf_counter() - begin, first, tokens)
        except (OSError, http.client.HTTPException, ValueError) as error:
            measured.fail(error)
            connection.close()
        count += 1


def percentiles(values):
    values = sorted(values)
    return ", ".join(f"p{share} {values[min(len(values) - 1, len(values) * share // 100)]:.3f}" for share in (50, 95, 99))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("model")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--tokens", type=int, default=32)
    options = parser.parse_args()
    server = Served(options.program, ["--model", options.model, "--device", "cpu"])
    server.start()
    measured = Measured()
    begin = time.monotonic()
    clients = [threading.Thread(target=client, args=(server, i, options, measured, begin + options.seconds))
               for i in range(options.clients)]
    for each in clients:
        each.start()
    while len(measured.whole) + len(measured.errors) < options.clients and any(each.is_alive() for each in clients):
        time.sleep(0.05)
    memory_first = server.resident_mebibytes()
    for each in clients:
        each.join()
    seconds, memory_last = time.monotonic() - begin, server.resident_mebibytes()
    status = server.end()
    print(f"{options.clients} clients, {seconds:.0f} s: {len(measured.whole)} requests, {len(measured.errors)} errors, "
          f"{measured.tokens / seconds:.0f} tokens/s")
    print(f"whole answer: {percentiles(measured.whole)} s; first piece: {percentiles(measured.first)} s")
    print(f"memory: {memory_first:.0f} MiB after the first round, {memory_last:.0f} MiB at the end")
    if measured.errors:
        sys.exit(f"load_server: {measured.errors[0]}")
    if status != 143:
        sys.exit(f"load_server: the server ended with {status}")
    if memory_last > memory_first * 1.25 + 32:
        sys.exit("load_server: memory grows")


if __name__ == "__main__":
    main()
