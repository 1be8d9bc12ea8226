-- The texts of a shop, file by file, as they were read. They can be read again, so what an earlier version
-- kept is dropped, not carried over.
DROP TABLE passages;
DROP TABLE generations;

-- A file read under given settings. One that changed is another row: the old one stays until no generation has it.
CREATE TABLE files (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    path     TEXT    NOT NULL,
    content  TEXT    NOT NULL, -- SHA-256 of its bytes
    settings TEXT    NOT NULL, -- what else its passages depend on
    complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
    -- Something was left out of it or is to be told of it: it is read again, so that it is said again.
    again    INTEGER NOT NULL DEFAULT 0 CHECK (again IN (0, 1))
) STRICT;

CREATE INDEX files_path ON files (path);

CREATE TABLE passages (
    id      INTEGER PRIMARY KEY,
    file    INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    n       INTEGER NOT NULL,
    source  TEXT    NOT NULL,
    same    BLOB    NOT NULL, -- equal where two passages say the same
    passage TEXT    NOT NULL, -- the passage as JSON
    UNIQUE (file, n)
) STRICT;

-- What is searched. One is current; a building one is nobody's until it is.
CREATE TABLE generations (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    state       TEXT    NOT NULL CHECK (state IN ('building', 'current', 'old')),
    fingerprint TEXT    NOT NULL,
    embedder    TEXT    NOT NULL,
    dimension   INTEGER NOT NULL CHECK (dimension >= 0),
    corpus      TEXT    NOT NULL, -- a hash of what the passages say
    files       INTEGER NOT NULL CHECK (files >= 0),
    passages    INTEGER NOT NULL CHECK (passages >= 0)
) STRICT;

CREATE UNIQUE INDEX generations_current ON generations (state) WHERE state = 'current';

CREATE TABLE generation_files (
    generation INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    place      INTEGER NOT NULL,
    file       INTEGER NOT NULL REFERENCES files (id),
    PRIMARY KEY (generation, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX generation_files_file ON generation_files (file);

-- Vectors by what was embedded, so that only new texts are embedded.
CREATE TABLE vectors (
    id       INTEGER PRIMARY KEY,
    embedder TEXT    NOT NULL,
    text     BLOB    NOT NULL, -- SHA-256 of the text
    vector   BLOB    NOT NULL, -- f32, little-endian, one after the other
    used     INTEGER NOT NULL DEFAULT 0, -- the last generation that has it
    UNIQUE (embedder, text)
) STRICT;
