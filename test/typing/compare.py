# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the model with the peer on generated cases.

    python compare.py [--seed N] [--scale F] [--show N] [--write]
    python compare.py --grids

Prints agreement by category and the cases that nobody has explained. `--write`
stores the cases in cases.jsonl: our answer, and the peer's where it differs on
purpose. A case whose difference is unexplained is never stored.
"""

import argparse
import collections
import json
import pathlib
import sys
import warnings

import generate
import peer
from model import interpret
from model.types import REALS, SCALARS

FILE = pathlib.Path(__file__).with_name("cases.jsonl")
EXPLAINED = ("peer defect", "late pruning", "not ours")


def ours(source, arguments, **how):
    """The model's answer; a crash of the model is an answer of its own."""
    try:
        return interpret(source, arguments, **how)
    except RecursionError:
        return None, "crash", "recursion"
    except Exception as error:
        return None, "crash", f"{type(error).__name__}: {error}"


def compare(source, arguments):
    """(verdict, our answer, the peer's answer)."""
    theirs = peer.infer_source(source, arguments)
    mine = ours(source, arguments)
    if mine[1] == "crash":
        return "crash", mine, theirs
    if mine[0] == theirs[0]:
        return (
            "same" if mine[1] == theirs[1] else "same, other reason",
            mine,
            theirs,
        )
    if (
        theirs[1] == "RuntimeError"
    ):  # the peer loses itself in loops without an exit
        return "peer defect", mine, theirs
    if mine[1] == "array":  # arithmetic on whole arrays is not ours
        return "not ours", mine, theirs
    if ours(source, arguments, peer=True)[0] == theirs[0]:
        return "peer defect", mine, theirs
    if ours(source, arguments, peer=True, late=False)[0] == theirs[0]:
        return "late pruning", mine, theirs  # a pruned path still feeds a join
    return "different", mine, theirs


ONE = (
    "-x +x ~x (not,x) abs(x) int(x) float(x) bool(x) round(x) round(x,2) x+1 "
    "x*2.5 x**2 2**x x//2 x<<1 len(x) (x,)[0] min(x,1) max(x,1.5)"
)
TWO = (
    "x+y x-y x*y x/y x//y x%y x**y x<<y x>>y x&y x|y x^y x<y x==y min(x,y) "
    "max(x,y) (x,if,c,else,y) (x,and,y) (x,or,y)"
)


def grids():
    """Operators and functions on every scalar type or pair of them."""
    forms = [
        text.replace(",if,", " if ").replace(",else,", " else ")
        for text in TWO.split()
    ]
    forms = [
        text.replace(",and,", " and ").replace(",or,", " or ") for text in forms
    ]
    forms += [f"math.{name}(x, y)" for name in generate.MATH_TWO.split()]
    loops = ["range(x, y)", "range(y, x, x)", "range(x)"]
    single = [text.replace("not,", "not ") for text in ONE.split()]
    single += [f"math.{name}(x)" for name in generate.MATH_ONE.split()]
    single += [f"np.{name}(x)" for name in REALS]
    scalars = SCALARS[:-2]
    total, wrong = 0, []
    for form in [*forms, *single, *loops, "x OP= y"]:
        body = f"    return {form}\n"
        if form in loops:
            body = f"    for i in {form}:\n        pass\n    return i\n"
        texts = [body]
        if form == "x OP= y":
            names = "+ - * / // % ** << >> & | ^".split()
            texts = [f"    x {op}= y\n    return x\n" for op in names]
        pairs = [(a, b) for a in scalars for b in scalars]
        pairs = pairs if "y" in form else [(a, "int8") for a in scalars]
        for text in texts:
            for pair in pairs:
                source = f"{generate.HEADER}def f(x, y, c):\n{text}"
                verdict, mine, theirs = compare(source, [*pair, "bool"])
                total += 1
                if not verdict.startswith("same"):
                    wrong.append(
                        (text.strip(), pair, verdict, mine[0], theirs[0])
                    )
    print(f"grids: {total} entries, {len(wrong)} differ")
    return wrong


def main():
    """Run, count, print, write."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--category", default="")
    parser.add_argument("--grids", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.grids:
        for difference in grids():
            print("   ", *difference)
        return 0
    counts = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    rejected = collections.Counter()
    shown, lines = 0, []
    for name, category, source, arguments in generate.cases(
        options.seed, options.scale
    ):
        if options.category and category != options.category:
            continue
        verdict, mine, theirs = compare(source, arguments)
        counts[category][verdict] += 1
        counts["ALL"][verdict] += 1
        rejected[mine[0] is None] += 1
        single = ours(source, arguments, rotate=False)[0]
        if single != mine[0]:
            counts["ALL"]["while typed once differs"] += 1
            if options.verbose:
                print("ONCE", name, mine[0], single, theirs[0])
        if options.verbose and verdict in EXPLAINED:
            print(verdict, name, mine, theirs[0], theirs[1], theirs[2][:120])
        if verdict == "same, other reason":
            reasons[f"ours {mine[1]}, peer's {theirs[1]}"] += 1
        if verdict in ("different", "crash"):
            if shown < options.show:
                shown += 1
                print(
                    f"--- {name} {arguments}\n"
                    f"{source.split('cuda', 1)[1].strip()}"
                )
                print(
                    f"    ours   {mine}\n    peer's {theirs[0]} "
                    f"{theirs[1]} {theirs[2][:300]}\n"
                )
            continue
        entry = {
            "id": name,
            "category": category,
            "source": source,
            "args": arguments,
        }
        entry |= {"result": mine[0], "error": mine[1]}
        if verdict in EXPLAINED:
            entry["peer_differs"] = theirs[0] or f"error: {theirs[1]}"
        lines.append(json.dumps(entry))
    for category, verdicts in counts.items():
        print(f"{category:12}", dict(verdicts))
    print("rejected by us:", rejected[True], "accepted:", rejected[False])
    for reason, count in reasons.most_common():
        print(f"    {count:4} {reason}")
    if options.write:
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{len(lines)} cases, {FILE.stat().st_size} bytes")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
