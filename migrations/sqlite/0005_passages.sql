-- The passages of the shop's documents. A generation is whole or absent; the newest one is current.
CREATE TABLE generations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    fingerprint TEXT    NOT NULL,
    embedder    TEXT    NOT NULL,
    passages    INTEGER NOT NULL CHECK (passages >= 0)
) STRICT;

CREATE TABLE passages (
    id         INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    place      INTEGER NOT NULL,
    source     TEXT    NOT NULL,
    headings   TEXT    NOT NULL, -- a JSON array of strings, outermost first
    text       TEXT    NOT NULL,
    file       TEXT    NOT NULL,
    language   TEXT    NOT NULL,
    trust      TEXT    NOT NULL CHECK (trust IN ('shop', 'customer')),
    vector     BLOB,             -- f32, little-endian, one after the other
    UNIQUE (generation, place),
    UNIQUE (generation, source)
) STRICT;
