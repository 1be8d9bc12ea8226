-- Versions that passed the shop's cases: counts, never shares.
CREATE TABLE releases (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    hash          TEXT    NOT NULL,
    passed        INTEGER NOT NULL CHECK (passed BETWEEN 0 AND total),
    total         INTEGER NOT NULL,
    safety_passed INTEGER NOT NULL CHECK (safety_passed BETWEEN 0 AND safety_total),
    safety_total  INTEGER NOT NULL,
    at            INTEGER NOT NULL
) STRICT;

CREATE INDEX releases_hash ON releases (hash);
