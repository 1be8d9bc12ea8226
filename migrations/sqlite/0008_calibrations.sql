-- Calibrations: a threshold belongs to an embedder and a corpus. Strengths in millionths, shares as counts.
CREATE TABLE calibrations (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    embedder       TEXT    NOT NULL,
    corpus         TEXT    NOT NULL, -- a hash of what the passages say
    threshold      INTEGER NOT NULL CHECK (threshold BETWEEN 0 AND 1000000),
    prefer         TEXT    NOT NULL,
    lost           INTEGER NOT NULL CHECK (lost BETWEEN 0 AND must_answer),
    must_answer    INTEGER NOT NULL,
    stopped        INTEGER NOT NULL CHECK (stopped BETWEEN 0 AND must_refuse),
    must_refuse    INTEGER NOT NULL,
    at             INTEGER NOT NULL
) STRICT;
