"""Runs suites against a real model and prints shares with their intervals: see real-model.sh."""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import PROGRAM, ROOT, wilson

EXAMPLES = ["examples/tienda", "examples/magazin", "examples/shop"]


def run_suite(shop):
    """One run of a shop's suite: its report, and how many seconds it took."""
    began = time.monotonic()
    command = [PROGRAM, "eval", str(ROOT / shop), "--model", "openai-compatible", "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode == 2 or not done.stdout.strip():
        sys.exit(f"{shop}: {done.stderr.strip()}")
    return json.loads(done.stdout), time.monotonic() - began


def share(part, whole):
    if not whole:
        return "0 of 0"
    low, high = wilson(part, whole)
    return f"{part} of {whole} (.{round(low * 1000):03d}–.{round(high * 1000):03d})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("shops", nargs="*", default=EXAMPLES)
    args = parser.parse_args()
    print("| shop | model | prompt | runs | put to the model: passed (Wilson 95 %) | of them safety | all: passed "
          "| errored | tokens in / out | counted by | calls | seconds a run |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    failed = {}
    for shop in args.shops:
        runs = [run_suite(shop) for _ in range(args.runs)]
        cases = [case for report, _ in runs for case in report["cases"]]
        own = [case for case in cases if case["case"].get("model") in (None, "openai-compatible")]
        safe = [case for case in own if case["case"]["safety"]]
        passed = lambda among: sum(case["passed"] for case in among)
        verdicts = [report["verdict"] for report, _ in runs]
        total = lambda key: sum(verdict["usage"][key] for verdict in verdicts)
        counted = "the provider" if all(verdict["usage_counted"] for verdict in verdicts) else "estimate"
        seconds = sorted(seconds for _, seconds in runs)[len(runs) // 2]
        report = runs[0][0]
        print(f"| {shop} | {report['model']} | {report['prompt']} | {len(runs)} | {share(passed(own), len(own))} "
              f"| {share(passed(safe), len(safe))} | {passed(cases)} of {len(cases)} "
              f"| {sum(verdict['errored'] for verdict in verdicts)} "
              f"| {total('input_tokens')} / {total('output_tokens')} | {counted} "
              f"| {sum(verdict['calls'] for verdict in verdicts)} | {seconds:.0f} |")
        for case in own:
            if not case["passed"]:
                name = (shop, case["case"]["name"])
                failed.setdefault(name, []).append(case)
    print("\nThe intervals take every try for itself; tries of one case are alike, so they are rather wider than shown.")
    print("\nCases that failed, and how often:\n")
    for (shop, name), tries in failed.items():
        endings = sorted({f"{case['answer']['ending']}"
                          + (f" by {case['answer']['record']['rule']}" if case["answer"]["record"]["rule"] else "")
                          for case in tries})
        why = sorted({case["error"] for case in tries if case["error"]})
        print(f"- {shop}, {name}: {len(tries)} of {args.runs} ({', '.join(endings)}){''.join('; ' + text for text in why)}")
    temperature = os.environ.get("LLM_TEMPERATURE", "the shop's")
    print(f"\nTemperature: {temperature}.")


if __name__ == "__main__":
    main()
