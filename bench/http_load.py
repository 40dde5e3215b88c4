#!/usr/bin/env python3
"""How long a `node` call takes while other clients load the server.

    bench/http_load.py build/release/adjourn build/release/…/hash_engine [--seconds 5] [--clients 4] [--grow 3000]

Starts a server on a directory of its own, lets an analysis grow, and prints p50, p99 and the longest of `node` for each
kind of load in ms. Standard library only; talks to 127.0.0.1 only.
"""
import argparse
import http.client
import json
import multiprocessing
import os
import re
import signal
import subprocess
import tempfile
import time

def ask(connection, method, path, body=None, kind="application/json"):
    connection.request(method, path, body=body, headers={"Content-Type": kind} if body else {})
    response = connection.getresponse()
    return response.status, response.read()

def loop(port, method, path, make_body, kind, until):
    """Asks the same for ever, on a fresh connection where the server closed the last one."""
    body = make_body() if make_body else None
    connection = None
    while time.monotonic() < until:
        try:
            connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            ask(connection, method, path, body, kind)
        except (OSError, http.client.HTTPException):
            connection = None

def large_text():
    return b'{"name":"' + b"x" * (8 * 1024 * 1024 - 100) + b'"}'

def large_pgn():
    game = b'[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n'
    return game * (8 * 1024 * 1024 // len(game))

def measure(port, identity, seconds):
    path = f"/api/v1/analyses/{identity}/node"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    times = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        start = time.perf_counter()
        status, _ = ask(connection, "GET", path)
        times.append((time.perf_counter() - start) * 1000)
        assert status == 200, status
        time.sleep(0.005)
    times.sort()
    return times

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adjourn")
    parser.add_argument("engine")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--grow", type=int, default=3000, help="positions before anything is measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        config = os.path.join(directory, "adjourn.toml")
        with open(config, "w") as file:
            file.write(f'listen = "127.0.0.1:0"\n[[engine]]\nname = "hash"\n'
                       f'command = ["{os.path.abspath(options.engine)}"]\ncount = 1\n')
        log = open(os.path.join(directory, "log"), "w+")
        server = subprocess.Popen([options.adjourn, "serve", "--data", os.path.join(directory, "data"),
                                   "--config", config], stdout=log, stderr=log)
        try:
            port = None
            while port is None:
                time.sleep(0.1)
                log.seek(0)
                found = re.search(r"http://127\.0\.0\.1:(\d+)", log.read())
                port = int(found.group(1)) if found else None
                assert server.poll() is None, "the server has ended"
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            _, created = ask(connection, "POST", "/api/v1/analyses", json.dumps(
                {"position": {"moves": "1. e4 e5"}, "limit": {"depth": 6},
                 "strategy": {"kind": "halving", "move_distance": 60, "refine": 0}}))
            identity = json.loads(created)["id"]
            here = f"/api/v1/analyses/{identity}"
            while json.loads(ask(connection, "GET", here)[1])["positions"] < options.grow:
                time.sleep(0.2)
            many = options.clients
            wide = "margin=200&plies=40"
            loads = [
                ("nothing", 0, None),
                ("8 MiB JSON", many, ("POST", "/api/v1/analyses", large_text, "application/json")),
                ("8 MiB PGN import", many, ("POST", "/api/v1/import?format=pgn&name=x", large_pgn, "text/plain")),
                ("export PGN", many, ("GET", f"{here}/export?format=pgn&{wide}", None, "")),
                ("tree", many, ("GET", f"{here}/tree?plies=20&margin=200&limit=20000", None, "")),
            ]
            print(f"{'load':<18}{'clients':>8}{'calls':>8}{'p50':>8}{'p99':>8}{'max':>8}")
            for name, clients, call in loads:
                until = time.monotonic() + options.seconds + 1
                others = [multiprocessing.Process(target=loop, args=(port, *call, until)) for _ in range(clients)]
                for other in others:
                    other.start()
                time.sleep(0.5)
                times = measure(port, identity, options.seconds)
                for other in others:
                    other.join()
                at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
                print(f"{name:<18}{clients:>8}{len(times):>8}{at(0.5):>8.1f}{at(0.99):>8.1f}{times[-1]:>8.1f}", flush=True)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()

if __name__ == "__main__":
    main()
