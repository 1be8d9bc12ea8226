-- Every stop: which question, which rule, which evidence.
CREATE TABLE stops (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    turn     TEXT    NOT NULL,
    ending   TEXT    NOT NULL,
    rule     TEXT    NOT NULL,
    evidence TEXT    NOT NULL,
    question TEXT    NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
