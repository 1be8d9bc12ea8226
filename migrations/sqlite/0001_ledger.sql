-- Money, in micro-units: what was reserved and what was spent. Entries are added and never changed.
CREATE TABLE ledger_entries (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    kind          TEXT    NOT NULL CHECK (kind IN ('reserve', 'settle')),
    month         TEXT    NOT NULL CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
    turn          TEXT,
    -- No foreign key: for one, every insert would look for rows that wait for their parent, through
    -- all entries. The last trigger below stands in for it.
    reservation   INTEGER,
    amount        INTEGER NOT NULL CHECK (amount >= 0),
    input_tokens  INTEGER CHECK (input_tokens >= 0),
    output_tokens INTEGER CHECK (output_tokens >= 0),
    at            INTEGER NOT NULL,
    CHECK (CASE kind
        WHEN 'reserve' THEN turn IS NOT NULL AND reservation IS NULL
            AND input_tokens IS NULL AND output_tokens IS NULL
        ELSE turn IS NULL AND reservation IS NOT NULL
            AND input_tokens IS NOT NULL AND output_tokens IS NOT NULL
    END)
) STRICT;

CREATE UNIQUE INDEX ledger_settled_once ON ledger_entries (reservation) WHERE kind = 'settle';
CREATE INDEX ledger_turns ON ledger_entries (month, turn) WHERE kind = 'reserve';

-- Running totals. Adding up the entries at every reservation would take longer with every question
-- of the month; one row a month is read and written in the same time on the first and on the last
-- day. The triggers below write it in the statement that adds the entry, so neither is ever there
-- without the other, whichever program adds it.
CREATE TABLE ledger_months (
    month     TEXT    PRIMARY KEY,
    spent     INTEGER NOT NULL CHECK (spent >= 0),
    reserved  INTEGER NOT NULL CHECK (reserved >= 0),
    questions INTEGER NOT NULL CHECK (questions >= 0)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_counts_reserved AFTER INSERT ON ledger_entries WHEN NEW.kind = 'reserve'
BEGIN
    INSERT INTO ledger_months (month, spent, reserved, questions) VALUES (NEW.month, 0, 0, 0)
    ON CONFLICT (month) DO NOTHING;
    UPDATE ledger_months SET
        reserved = reserved + NEW.amount,
        -- A turn may reserve more than once; it is one question.
        questions = questions + NOT EXISTS (
            SELECT 1 FROM ledger_entries
            WHERE kind = 'reserve' AND month = NEW.month AND turn = NEW.turn AND id <> NEW.id
        )
    WHERE month = NEW.month;
END;

CREATE TRIGGER ledger_counts_settled AFTER INSERT ON ledger_entries WHEN NEW.kind = 'settle'
BEGIN
    UPDATE ledger_months SET
        spent = spent + NEW.amount,
        reserved = reserved - (SELECT amount FROM ledger_entries WHERE id = NEW.reservation)
    WHERE month = NEW.month;
END;

CREATE TRIGGER ledger_never_updated BEFORE UPDATE ON ledger_entries
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_never_deleted BEFORE DELETE ON ledger_entries
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- INSERT OR REPLACE removes rows without asking the trigger above.
CREATE TRIGGER ledger_never_replaced BEFORE INSERT ON ledger_entries
WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM ledger_entries WHERE kind = 'settle' AND reservation = NEW.reservation)
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_settles_what_is_reserved BEFORE INSERT ON ledger_entries
WHEN NEW.kind = 'settle' AND NOT EXISTS (
    SELECT 1 FROM ledger_entries
    WHERE id = NEW.reservation AND kind = 'reserve' AND month = NEW.month
)
BEGIN
    SELECT RAISE(ABORT, 'a settlement needs a reservation of its month');
END;
