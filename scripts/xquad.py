"""Search quality on XQuAD: a shop folder a language, beside a plain BM25 in the same run."""

import argparse
import re

import bm25s
from measure import ShopFolder, at, by_cosine, documents, lines, mean, share, table

LANGUAGES = ["en", "es", "de", "ru", "ar", "zh", "hi"]
PUNCTUATION = re.compile(r"[^\w\u0900-\u097f]+", re.UNICODE)


def white_space(text):
    return text.lower().split()


def stripped(text):
    """White-space words without the punctuation around and in them."""
    return PUNCTUATION.sub(" ", text.lower()).split()


def characters(text):
    """For Chinese, which writes no spaces: characters and pairs of neighbours."""
    out = []
    for run in stripped(text):
        out += list(run) + [run[i : i + 2] for i in range(len(run) - 1)]
    return out


def peer(tokens, passages, questions):
    """Ranked documents by `bm25s` as it comes (Lucene's BM25, k1 1.5, b .75)."""
    index = bm25s.BM25()
    index.index([tokens(passage["text"]) for passage in passages], show_progress=False)
    known = set(index.vocab_dict)
    ranked = []
    for question in questions:
        terms = [term for term in tokens(question["question"]) if term in known]
        if not terms:
            ranked.append([])
            continue
        found, _ = index.retrieve([terms], k=5, show_progress=False)
        ranked.append([str(passages[number]["passage"]) for number in found[0]])
    return ranked


def figures(ranked, questions):
    first = sum(at(found, [str(question["passage"])], 1) for found, question in zip(ranked, questions))
    five = sum(at(found, [str(question["passage"])], 5) for found, question in zip(ranked, questions))
    return first, five


def shown(counts, whole):
    return [share(counts[0] / whole), share(counts[1] / whole)]


def asked(questions):
    return [{"id": number, "question": question["question"]} for number, question in enumerate(questions)]


def shop(languages, language, passages, embed=None):
    documents = [
        {"id": str(passage["passage"]), "text": passage["text"], "language": language} for passage in passages
    ]
    folder = ShopFolder(languages, documents, embed=embed)
    folder.index()
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embed", metavar="FOLDER", help="a local embedder's folder: hybrid and across languages")
    parser.add_argument("--languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--every", type=int, default=1, help="take every n-th question")
    options = parser.parse_args()
    all_passages, all_questions = lines("xquad_passages.jsonl"), lines("xquad_questions.jsonl")
    of = lambda rows, language: [row for row in rows if row["lang"] == language]

    rows, worse, per_second = [], [], []
    lexical = {}
    for language in options.languages:
        passages, questions = of(all_passages, language), of(all_questions, language)[:: options.every]
        found, seconds = shop([language], language, passages).search(asked(questions))
        per_second.append(len(questions) / seconds)
        ours = figures([documents(hit["hits"]) for hit in found], questions)
        lexical[language] = ours
        peers = [figures(peer(tokens, passages, questions), questions) for tokens in (white_space, stripped)]
        if language == "zh":
            peers.append(figures(peer(characters, passages, questions), questions))
        whole = len(questions)
        stopped = sum(hit["verdict"] in ("stopped", "failed") for hit in found)
        worse += [language for other in peers if other[0] > ours[0] or other[1] > ours[1]][:1]
        extra = shown(peers[2], whole) if len(peers) == 3 else ["", ""]
        rows.append([language, whole, *shown(ours, whole), *shown(peers[0], whole), *shown(peers[1], whole), *extra, stopped])
    print("Within a language, default configuration (words alone):\n")
    peer_name = "bm25s, "
    head = ["language", "questions", "acc@1", "R@5"]
    for name in ("white-space words", "punctuation stripped", "characters and pairs"):
        head += [f"{peer_name}{name}: acc@1", "R@5"]
    table([*head, "not let in"], rows)
    print(f"Below a peer in: {', '.join(worse) or 'none'}. ", end="")
    print(f"Questions a second, start of the process included: {min(per_second):.0f} to {max(per_second):.0f}.\n")

    if not options.embed:
        print("Hybrid search: skipped, no --embed FOLDER.")
        return
    rows = []
    for language in options.languages:
        passages, questions = of(all_passages, language), of(all_questions, language)[:: options.every]
        found, seconds = shop([language], language, passages, options.embed).search(asked(questions))
        away = sum("embedder_away" in hit for hit in found)
        whole = len(questions)
        hybrid = figures([documents(hit["hits"]) for hit in found], questions)
        dense = figures([documents(by_cosine(hit["hits"])) for hit in found], questions)
        least = max(dense[1], lexical[language][1]) / whole - 0.01
        rows.append([language, whole, *shown(hybrid, whole), *shown(dense, whole), *shown(lexical[language], whole),
                     "yes" if hybrid[1] / whole >= least else "no", away, f"{whole / seconds:.0f}"])
    print("Within a language, with the local embedder:\n")
    table(["language", "questions", "hybrid acc@1", "R@5", "dense alone acc@1", "R@5", "words alone acc@1", "R@5",
           "hybrid R@5 within .01 of the better half", "embedder away", "questions a second"], rows)

    rows, recalls = [], []
    english = of(all_passages, "en")
    folder = shop(LANGUAGES, "en", english, options.embed)
    for language in [language for language in options.languages if language != "en"]:
        questions = of(all_questions, language)[:: options.every]
        found, _ = folder.search(asked(questions))
        whole = len(questions)
        hybrid = figures([documents(hit["hits"]) for hit in found], questions)
        dense = figures([documents(by_cosine(hit["hits"])) for hit in found], questions)
        recalls.append(hybrid[1] / whole)
        rows.append([language, whole, *shown(hybrid, whole), *shown(dense, whole)])
    print("A question in another language on the English passages:\n")
    table(["language", "questions", "hybrid acc@1", "R@5", "dense alone acc@1", "R@5"], rows)
    if recalls:
        print(f"Mean R@5 of the hybrid over {len(recalls)} languages: {share(mean(recalls))} (aim .900).")


main()
