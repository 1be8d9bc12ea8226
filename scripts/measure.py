"""What the measuring scripts share: shops made of public data, searches in one process, figures with intervals."""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("MOSTRADOR_DATA", ROOT.parent / "shared" / "data"))
PROGRAM = os.environ.get("MOSTRADOR", str(ROOT / "target" / "release" / "mostrador"))


def lines(name):
    """The objects of a file of JSON lines; ends the script, saying so, where the data is absent."""
    path = DATA / name
    if not path.exists():
        print(f"skipped: {path} is absent; set MOSTRADOR_DATA to the folder that holds {name}")
        sys.exit(0)
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class ShopFolder:
    """A shop folder in a temporary place, with one file of documents."""

    def __init__(self, languages, documents, settings="", embed=None):
        self.place = tempfile.TemporaryDirectory(prefix="mostrador-measure-")
        root = Path(self.place.name)
        embedder = f'\n[embedder]\nkind = "local"\nfolder = {json.dumps(embed)}\n' if embed else ""
        names = ", ".join(json.dumps(language) for language in languages)
        shop = f'name = "Measure"\nlanguages = [{names}]\n{settings}{embedder}'
        (root / "shop.toml").write_text(shop, encoding="utf-8")
        (root / "documents").mkdir()
        with open(root / "documents" / "d.jsonl", "w", encoding="utf-8") as file:
            for document in documents:
                file.write(json.dumps(document, ensure_ascii=False) + "\n")
        self.root = root

    def index(self):
        """Indexes; the summary and the seconds it took."""
        begun = time.monotonic()
        done = subprocess.run(
            [PROGRAM, "index", str(self.root), "--format", "json"], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            sys.exit(f"index failed: {done.stderr.strip()}")
        return json.loads(done.stdout), time.monotonic() - begun

    def search(self, questions, top=200):
        """The searches of `questions` ({"id", "question", …}), in order, and the seconds they took."""
        text = "".join(json.dumps(question, ensure_ascii=False) + "\n" for question in questions)
        begun = time.monotonic()
        done = subprocess.run(
            [PROGRAM, "search", str(self.root), "--batch", "-", "--top", str(top)],
            input=text, capture_output=True, text=True, check=False,
        )
        if done.returncode != 0:
            sys.exit(f"search failed: {done.stderr.strip()}")
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert [hit["id"] for hit in found] == [question["id"] for question in questions]
        return found, time.monotonic() - begun


def document(source):
    """The document's id of a passage's name: `d/ID#n`."""
    return source.split("#")[0].split("/", 1)[-1]


def documents(hits):
    """The distinct documents of hits, best passage first."""
    return list(dict.fromkeys(document(hit["source"]) for hit in hits))


def by_cosine(hits):
    """The dense list alone: what has a cosine, best first."""
    return sorted((hit for hit in hits if hit["cosine"] is not None), key=lambda hit: -hit["cosine"])


def at(ranked, wanted, k):
    """How many of `wanted` stand among the first `k`."""
    return len(set(ranked[:k]) & set(wanted))


def wilson(part, whole):
    """The 95 % interval of a share (Wilson 1927)."""
    if whole == 0:
        return 0.0, 1.0
    z, p = 1.959964, part / whole
    middle = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    reach = z * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def bootstrap(values, rounds=2000):
    """The 95 % percentile interval of a mean, resampled with a fixed seed."""
    draw = random.Random(1)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975) - 1]


def mean(values):
    return sum(values) / len(values)


def share(value):
    """A share in three digits without the leading zero."""
    text = f"{value:.3f}"
    return text[1:] if text.startswith("0") else text


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)
