#!/usr/bin/env python3
"""What a check by likeness of words takes, beside the `gate` bench: rapidfuzz's token_set_ratio, as peers use such a
ratio to say that an answer is "grounded". The same sentences and passages as crates/answer/benches/gate.rs, read from
there. It looks at no value, denial or condition.

    pip install rapidfuzz && python3 scripts/gate-peer.py
"""

import pathlib
import re
import time

from rapidfuzz import fuzz

SOURCE = pathlib.Path(__file__).parent.parent / "crates/answer/benches/gate.rs"


def main():
    text = SOURCE.read_text(encoding="utf-8")
    pages = re.search(r"const SENTENCES[^=]*= \[(.*?)\];", text, re.S).group(1)
    sentences = re.findall(r'^\s*"(.*)",$', pages, re.M)
    said = re.findall(r'^\s*\("gate/judge/\w+", "([^"\[]*)', text, re.M)
    passages = []
    for number in range(8):
        words, at = "", number * 5
        while len(words) + len(sentences[at % len(sentences)]) <= 1000:
            words += sentences[at % len(sentences)] + " "
            at += 1
        passages.append(words)
    times = []
    for _ in range(2000):
        for sentence in said:
            began = time.perf_counter()
            best = max(fuzz.token_set_ratio(sentence, passage) for passage in passages[:4])
            times.append(time.perf_counter() - began)
    times.sort()
    at = lambda share: times[int(len(times) * share)] * 1e6
    print(f"token_set_ratio of a sentence with four passages: median {at(.5):.0f} µs, 99 % {at(.99):.0f} µs")
    for sentence in ("Home delivery costs 5 € .", "Home delivery costs 50 €."):
        best = max(fuzz.token_set_ratio(sentence, passage) for passage in passages[:4])
        print(f"  {best:5.1f} of 100 for {sentence!r}")


main()
