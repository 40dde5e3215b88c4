#!/usr/bin/env python3
"""How soon a renewal (POST analyses/{id}/renew) finds what a complete one changes.

Trees of one engine are renewed by another one until nothing is left to ask; meanwhile it is looked
at, a few times a second, which answers of the main line fell, and what was spent. A flip is an
answer that has fallen at the end. Told is the share of the flips, and of those at the root, that
had fallen at 5, 10, 20 and 50 % of the whole cost; that had the same move in their place as at the
end; and how many had fallen then and stand at the end.

    bench/renewals.py --program build/release/adjourn --new 'node …/stockfish-19-single.js'
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import tempfile
import time
import urllib.request

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("--program", default="build/release/adjourn")
parser.add_argument("--old", default="/usr/games/stockfish", help="the command of the engine before")
parser.add_argument("--new", required=True, help="the command of the engine that takes over")
parser.add_argument("--epd", default=str(pathlib.Path(__file__).parent / "data/games.epd"))
parser.add_argument("--roots", type=int, default=40)
parser.add_argument("--nodes", type=int, default=8_000, help="of an evaluation")
parser.add_argument("--positions", type=int, default=80, help="of a tree")
parser.add_argument("--keep", help="a file for the courses, JSON")
parser.add_argument("--listen", default="127.0.0.1:8479")
options = parser.parse_args()
api = f"http://{options.listen}/api/v1"


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(api + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def rested(number):
    while True:
        seen = call(f"/analyses/{number}")
        if seen["state"] in ("settled", "exhausted", "failed") and seen["in_flight"] == 0:
            return seen
        time.sleep(0.05)


def renewed(number):
    """[(nodes, {ply: best move now, of answers that fell})], from the beginning to the end."""
    begun = call(f"/analyses/{number}")["nodes"]
    call(f"/analyses/{number}/renew", {"engine": "new"})
    course = []
    while True:
        seen = call(f"/analyses/{number}")
        told = seen["renewal"]
        fell = {ply: each["best"]["uci"] for ply, each in enumerate(told["answers"])
                if each["state"] == "fell"}
        course.append((seen["nodes"] - begun, fell, len(told["answers"])))
        if told["phase"] == "done" and seen["in_flight"] == 0 and seen["state"] != "running":
            return course
        time.sleep(0.02)


def share(found, of):
    return f"{found} of {of} ({100 * found / of:.0f} %)" if of else "none"


with tempfile.TemporaryDirectory() as directory:
    config = pathlib.Path(directory) / "adjourn.toml"
    engines = (("old", options.old), ("new", options.new))
    config.write_text(f'listen = "{options.listen}"\n' + "".join(
        f"[[engine]]\nname = {json.dumps(name)}\ncommand = {json.dumps(shlex.split(command))}\n"
        "count = 1\noptions = { Hash = 64 }\n" for name, command in engines))
    server = subprocess.Popen(
        [options.program, "serve", "--config", str(config), "--data", directory + "/data"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                names = [each["identity"] for each in call("/engines")["engines"]]
                if all(names):
                    break
            except OSError:
                pass
            time.sleep(0.1)
        print(" renewed by ".join(each["name"] for each in names))
        roots = [line.split(" bm ")[0].split(";")[0].strip() for line in open(options.epd)
                 if line.strip() and not line.startswith("#")]
        step = max(1, len(roots) // options.roots)
        courses = []
        for fen in roots[::step][:options.roots]:
            fields = fen.split()[:4]
            made = call("/analyses", {
                "position": {"fen": " ".join(fields) + " 0 1"}, "engine": "old",
                "limit": {"nodes": options.nodes}, "budget": {"positions": options.positions},
                "strategy": {"kind": "anchored", "refine": 3}})
            rested(made["id"])
            courses.append(renewed(made["id"]))
    finally:
        server.terminate()
        server.wait()

if options.keep:
    pathlib.Path(options.keep).write_text(json.dumps(courses))
answers = sum(course[-1][2] for course in courses)
flips = sum(len(course[-1][1]) for course in courses)
at_root = sum(0 in course[-1][1] for course in courses)
print(f"{len(courses)} trees, {answers} answers of their main lines, {flips} fell, {at_root} of "
      f"these at the root; {sum(course[-1][0] for course in courses) / 1e6:.1f} M nodes")
for percent in (5, 10, 20, 50):
    found = root = same = wrong = 0
    for course in courses:
        most = course[-1][0] * percent / 100
        end = course[-1][1]
        fell = [each[1] for each in course if each[0] <= most][-1]
        found += len(fell.keys() & end.keys())
        root += 0 in fell.keys() & end.keys()
        same += len(fell.items() & end.items())
        wrong += len(fell.keys() - end.keys())
    print(f"at {percent:2} % of the cost: {share(found, flips)}, with the same move {same}; at the "
          f"root {share(root, at_root)}; fallen and standing at the end: {wrong}")
