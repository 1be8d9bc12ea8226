-- What was handed to a colleague.
CREATE TABLE inbox (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    turn         TEXT    NOT NULL,
    conversation TEXT,
    customer     TEXT,
    ending       TEXT    NOT NULL,
    rule         TEXT    NOT NULL,
    question     TEXT    NOT NULL,
    answer       TEXT    NOT NULL,
    evidence     TEXT    NOT NULL,
    language     TEXT    NOT NULL,
    at           INTEGER NOT NULL
) STRICT;
