-- Where a customer wants to be answered who may be gone by then.
ALTER TABLE inbox ADD COLUMN address TEXT;

-- What people decided about answers that were held. Rows are added and never changed.
CREATE TABLE inbox_decisions (
    entry    INTEGER PRIMARY KEY REFERENCES inbox (id),
    decision TEXT    NOT NULL CHECK (decision IN ('approved', 'rejected')),
    person   TEXT    NOT NULL CHECK (person <> ''),
    at       INTEGER NOT NULL
) STRICT;

CREATE TRIGGER inbox_decisions_never_updated BEFORE UPDATE ON inbox_decisions
BEGIN
    SELECT RAISE(ABORT, 'decisions are append-only');
END;

CREATE TRIGGER inbox_decisions_never_deleted BEFORE DELETE ON inbox_decisions
BEGIN
    SELECT RAISE(ABORT, 'decisions are append-only');
END;

-- INSERT OR REPLACE removes rows without asking the trigger above.
CREATE TRIGGER inbox_decisions_never_replaced BEFORE INSERT ON inbox_decisions
WHEN EXISTS (SELECT 1 FROM inbox_decisions WHERE entry = NEW.entry)
BEGIN
    SELECT RAISE(ABORT, 'decisions are append-only');
END;

CREATE TRIGGER inbox_decisions_of_held BEFORE INSERT ON inbox_decisions
WHEN NOT EXISTS (SELECT 1 FROM inbox WHERE id = NEW.entry AND ending = 'held')
BEGIN
    SELECT RAISE(ABORT, 'only what is held is decided');
END;

-- What was sent to a customer behind the answer: to the conversation, to the address left there, or both.
CREATE TABLE messages (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    entry        INTEGER NOT NULL UNIQUE REFERENCES inbox_decisions (entry),
    conversation TEXT,
    customer     TEXT,
    address      TEXT,
    question     TEXT    NOT NULL,
    text         TEXT    NOT NULL CHECK (text <> ''),
    cited        TEXT    NOT NULL, -- a JSON array of names of passages
    language     TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    CHECK (conversation IS NOT NULL OR address IS NOT NULL)
) STRICT;

CREATE INDEX messages_conversation ON messages (conversation, id) WHERE conversation IS NOT NULL;

-- What a customer has been shown.
CREATE TABLE message_reads (
    message INTEGER PRIMARY KEY REFERENCES messages (id),
    at      INTEGER NOT NULL
) STRICT;
