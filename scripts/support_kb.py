"""Search quality and indexing speed on a support knowledge base: 698 documents, 49 tasks of about 4 KB each."""

import argparse

from measure import ShopFolder, at, bootstrap, by_cosine, documents, lines, mean, share, table, wilson

# The tasks are far longer than a customer's question.
SETTINGS = "\n[limits]\nquestion_characters = 20000\n\n[retrieval]\ncandidates = 200\n"


def row(name, ranked, tasks):
    hits = sum(at(found, task["documents"], 10) > 0 for found, task in zip(ranked, tasks))
    recalls = [at(found, task["documents"], 10) / len(task["documents"]) for found, task in zip(ranked, tasks)]
    low, high = wilson(hits, len(tasks))
    from_, to = bootstrap(recalls)
    return [
        name, f"{hits} of {len(tasks)}", f"{share(hits / len(tasks))} ({share(low)}–{share(high)})",
        f"{share(mean(recalls))} ({share(from_)}–{share(to)})",
    ]


def measured(name, embed, rows, tasks, pages):
    folder = ShopFolder(["en"], pages, SETTINGS, embed)
    summary, seconds = folder.index()
    passages = summary["passages"]
    found, asking = folder.search([{"id": task["id"], "question": task["question"]} for task in tasks])
    rows.append(row(name, [documents(hit["hits"]) for hit in found], tasks))
    if embed:
        rows.append(row("dense alone", [documents(by_cosine(hit["hits"])) for hit in found], tasks))
    stopped = [f"{hit['id']} {hit['stopped']}" for hit in found if "stopped" in hit]
    away = sum("embedder_away" in hit for hit in found)
    note = f"{name}: {passages} passages of {len(pages)} documents indexed in {seconds:.2f} s, "
    note += f"{passages / seconds:.0f} a second, start of the process included; {len(tasks)} tasks searched in "
    return note + f"{asking:.2f} s; not let in {len(stopped)} {stopped or ''}, embedder away {away}."


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embed", metavar="FOLDER", help="a local embedder's folder: hybrid beside words alone")
    options = parser.parse_args()
    tasks = lines("support_kb_tasks.jsonl")
    written = lines("support_kb_documents.jsonl")
    # Names of passages keep letters, digits and a few marks; numbers come back as they are.
    number = {page["id"]: str(at) for at, page in enumerate(written)}
    pages = [{"id": number[page["id"]], "title": page["title"], "text": page["content"]} for page in written]
    for task in tasks:
        task["documents"] = [number[name] for name in task["documents"]]
    rows = []
    notes = [measured("words alone", None, rows, tasks, pages)]
    if options.embed:
        notes.append(measured("hybrid", options.embed, rows, tasks, pages))
    else:
        notes.append("Hybrid search: skipped, no --embed FOLDER.")
    table(["search", "tasks with a hit@10", "hit@10 (Wilson 95 %)", "recall@10 (bootstrap 95 %)"], rows)
    print("\n".join(notes))


main()
