-- Conversations, and who speaks in them. While a colleague has one, the assistant is silent in it.
CREATE TABLE conversations (
    id       TEXT    PRIMARY KEY,
    customer TEXT,
    language TEXT    NOT NULL,
    address  TEXT,
    started  INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    taken_by TEXT    CHECK (taken_by <> ''),
    taken_at INTEGER,
    CHECK ((taken_by IS NULL) = (taken_at IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX conversations_last ON conversations (last);
CREATE INDEX conversations_customer ON conversations (customer) WHERE customer IS NOT NULL;

-- Finished turns: what was asked, what the customer read, and what only operators may see.
CREATE TABLE turns (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    turn          TEXT    NOT NULL UNIQUE,
    conversation  TEXT    REFERENCES conversations (id) ON DELETE CASCADE,
    customer      TEXT,
    question      TEXT    NOT NULL,
    answer        TEXT    NOT NULL, -- JSON, public
    text          TEXT    NOT NULL,
    citations     TEXT    NOT NULL, -- a JSON array
    record        TEXT    NOT NULL, -- JSON, for operators
    ending        TEXT    NOT NULL,
    rule          TEXT,
    language      TEXT    NOT NULL,
    cost          INTEGER NOT NULL CHECK (cost >= 0),
    input_tokens  INTEGER NOT NULL CHECK (input_tokens >= 0),
    output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
    took_ms       INTEGER NOT NULL,
    at            INTEGER NOT NULL
) STRICT;

CREATE INDEX turns_conversation ON turns (conversation) WHERE conversation IS NOT NULL;
CREATE INDEX turns_customer ON turns (customer) WHERE customer IS NOT NULL;
CREATE INDEX turns_alone ON turns (at) WHERE conversation IS NULL;

-- What was said in a conversation, in order. What was said in a turn stands there once, with the turn.
CREATE TABLE lines (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation TEXT    NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    speaker      TEXT    NOT NULL CHECK (speaker IN ('customer', 'assistant', 'colleague')),
    turn         INTEGER REFERENCES turns (id) ON DELETE CASCADE,
    text         TEXT,
    person       TEXT    CHECK (person <> ''),
    citations    TEXT, -- a JSON array
    at           INTEGER NOT NULL,
    CHECK ((turn IS NULL) = (text IS NOT NULL)),
    CHECK ((speaker = 'colleague') = (person IS NOT NULL)),
    CHECK (speaker <> 'assistant' OR turn IS NOT NULL)
) STRICT;

CREATE INDEX lines_conversation ON lines (conversation, id);
CREATE INDEX lines_turn ON lines (turn) WHERE turn IS NOT NULL;

CREATE TRIGGER lines_are_activity AFTER INSERT ON lines WHEN NEW.turn IS NULL
BEGIN
    UPDATE conversations SET last = max(last, NEW.at) WHERE id = NEW.conversation;
END;

-- A turn and its lines are one statement. The assistant's is added only while nobody has the conversation: looking
-- and adding cannot come apart.
CREATE TRIGGER turns_are_said AFTER INSERT ON turns WHEN NEW.conversation IS NOT NULL
BEGIN
    INSERT INTO lines (conversation, speaker, turn, at) VALUES (NEW.conversation, 'customer', NEW.id, NEW.at);
    INSERT INTO lines (conversation, speaker, turn, at)
    SELECT id, 'assistant', NEW.id, NEW.at FROM conversations
    WHERE id = NEW.conversation AND taken_by IS NULL AND NEW.text <> '';
    UPDATE conversations SET last = max(last, NEW.at) WHERE id = NEW.conversation;
END;

-- What customers thought of an answer; the last word counts.
CREATE TABLE feedback (
    turn    INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    helpful INTEGER NOT NULL CHECK (helpful IN (0, 1)),
    comment TEXT,
    at      INTEGER NOT NULL
) STRICT;

-- The people behind the counter. Names differ in more than their case, so that nobody passes for somebody else.
CREATE TABLE operators (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT    NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
    password TEXT    NOT NULL, -- a hash
    role     TEXT    NOT NULL CHECK (role IN ('viewer', 'agent', 'owner')),
    disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created  INTEGER NOT NULL
) STRICT;

CREATE TABLE operator_sessions (
    token    BLOB    PRIMARY KEY CHECK (length(token) = 32), -- SHA-256 of what the browser holds
    operator INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    opened   INTEGER NOT NULL,
    expires  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_sessions_operator ON operator_sessions (operator);
CREATE INDEX operator_sessions_expires ON operator_sessions (expires);

-- Sign-ins that failed; what is a day old goes with the next one.
CREATE TABLE sign_in_failures (
    id   INTEGER PRIMARY KEY,
    name TEXT    NOT NULL COLLATE NOCASE,
    at   INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_failures_name ON sign_in_failures (name, at);
CREATE INDEX sign_in_failures_at ON sign_in_failures (at);

-- What operators did. Rows are added and never changed.
CREATE TABLE actions (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    operator TEXT    NOT NULL,
    action   TEXT    NOT NULL,
    subject  TEXT    NOT NULL,
    detail   TEXT    NOT NULL,
    at       INTEGER NOT NULL
) STRICT;

CREATE TRIGGER actions_never_updated BEFORE UPDATE ON actions
BEGIN
    SELECT RAISE(ABORT, 'actions are append-only');
END;

CREATE TRIGGER actions_never_deleted BEFORE DELETE ON actions
BEGIN
    SELECT RAISE(ABORT, 'actions are append-only');
END;

-- INSERT OR REPLACE removes rows without asking the trigger above.
CREATE TRIGGER actions_never_replaced BEFORE INSERT ON actions
WHEN EXISTS (SELECT 1 FROM actions WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'actions are append-only');
END;

-- Entries that ended without a decision: a colleague answered in their own words, or there was nothing to do.
CREATE TABLE inbox_closings (
    entry  INTEGER PRIMARY KEY REFERENCES inbox (id),
    how    TEXT    NOT NULL CHECK (how IN ('answered', 'closed')),
    person TEXT    NOT NULL CHECK (person <> ''),
    -- The words, where no conversation holds them. They can be forgotten; that they were said cannot.
    text   TEXT,
    at     INTEGER NOT NULL
) STRICT;

CREATE TRIGGER inbox_closings_never_updated BEFORE UPDATE ON inbox_closings
WHEN NEW.text IS NOT NULL OR NEW.entry <> OLD.entry OR NEW.how <> OLD.how OR NEW.person <> OLD.person
    OR NEW.at <> OLD.at
BEGIN
    SELECT RAISE(ABORT, 'closings are append-only');
END;

CREATE TRIGGER inbox_closings_never_deleted BEFORE DELETE ON inbox_closings
BEGIN
    SELECT RAISE(ABORT, 'closings are append-only');
END;

CREATE TRIGGER inbox_closings_never_replaced BEFORE INSERT ON inbox_closings
WHEN EXISTS (SELECT 1 FROM inbox_closings WHERE entry = NEW.entry)
BEGIN
    SELECT RAISE(ABORT, 'closings are append-only');
END;

-- One end each: what is decided is not closed, what is closed is not decided.
CREATE TRIGGER inbox_closings_of_undecided BEFORE INSERT ON inbox_closings
WHEN EXISTS (SELECT 1 FROM inbox_decisions WHERE entry = NEW.entry)
BEGIN
    SELECT RAISE(ABORT, 'what is decided is not closed');
END;

CREATE TRIGGER inbox_decisions_of_open BEFORE INSERT ON inbox_decisions
WHEN EXISTS (SELECT 1 FROM inbox_closings WHERE entry = NEW.entry)
BEGIN
    SELECT RAISE(ABORT, 'what is closed is not decided');
END;

-- Whether an entry's texts were forgotten: nobody can answer it then.
ALTER TABLE inbox ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1));

CREATE INDEX inbox_conversation ON inbox (conversation) WHERE conversation IS NOT NULL;
CREATE INDEX inbox_customer ON inbox (customer) WHERE customer IS NOT NULL;
CREATE INDEX inbox_turn ON inbox (turn);
CREATE INDEX inbox_kept ON inbox (at) WHERE forgotten = 0;
CREATE INDEX stops_turn ON stops (turn);
CREATE INDEX stops_at ON stops (at);
CREATE INDEX messages_customer ON messages (customer) WHERE customer IS NOT NULL;
