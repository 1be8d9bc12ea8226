-- Caps by the day and by the customer, reservations that expire, corrections, and what was warned of. Entries of
-- before are carried over; their new form needs a new table, since SQLite changes no CHECK.
DROP TRIGGER ledger_counts_reserved;
DROP TRIGGER ledger_counts_settled;
DROP TRIGGER ledger_never_updated;
DROP TRIGGER ledger_never_deleted;
DROP TRIGGER ledger_never_replaced;
DROP TRIGGER ledger_settles_what_is_reserved;
DROP INDEX ledger_settled_once;
DROP INDEX ledger_turns;
ALTER TABLE ledger_entries RENAME TO ledger_entries_before;

-- Reservations that wait for their settlement, or have expired and may still be corrected. A claim is one row here,
-- added by one statement that looks for room under every cap; the triggers do the rest in the same statement.
CREATE TABLE ledger_reservations (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    turn     TEXT    NOT NULL,
    day      TEXT    NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    customer BLOB, -- the row of ledger_customers it counts in; NULL: of no customer's cap
    amount   INTEGER NOT NULL CHECK (amount >= 0),
    at       INTEGER NOT NULL,
    expired  INTEGER NOT NULL DEFAULT 0 CHECK (expired IN (0, 1))
) STRICT;

CREATE INDEX ledger_open ON ledger_reservations (at) WHERE expired = 0;

-- Money, in micro-units. Entries are added and never changed; what was spent is the sum of settlements, expiries
-- and corrections. Every entry is of the day (UTC) on which its reservation was made.
CREATE TABLE ledger_entries (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    kind          TEXT    NOT NULL CHECK (kind IN ('reserve', 'settle', 'expire', 'correct')),
    reservation   INTEGER NOT NULL,
    day           TEXT    NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    turn          TEXT,
    -- Of a correction: what was really spent less what the expiry had charged.
    amount        INTEGER NOT NULL CHECK (amount >= 0 OR kind = 'correct'),
    input_tokens  INTEGER CHECK (input_tokens >= 0),
    output_tokens INTEGER CHECK (output_tokens >= 0),
    at            INTEGER NOT NULL,
    CHECK ((kind = 'reserve') = (turn IS NOT NULL)),
    CHECK ((kind IN ('settle', 'correct')) = (input_tokens IS NOT NULL)),
    CHECK ((input_tokens IS NULL) = (output_tokens IS NULL))
) STRICT;

INSERT INTO ledger_entries (id, kind, reservation, day, turn, amount, input_tokens, output_tokens, at)
SELECT entry.id, entry.kind, reserved.id, date((reserved.at - (reserved.at < 0) * 999) / 1000, 'unixepoch'),
    entry.turn, entry.amount, entry.input_tokens, entry.output_tokens, entry.at
FROM ledger_entries_before AS entry
JOIN ledger_entries_before AS reserved ON reserved.id = coalesce(entry.reservation, entry.id)
ORDER BY entry.id;

INSERT INTO ledger_reservations (id, turn, day, amount, at)
SELECT reservation, turn, day, amount, at FROM ledger_entries AS entry
WHERE kind = 'reserve' AND NOT EXISTS (
    SELECT 1 FROM ledger_entries WHERE kind = 'settle' AND reservation = entry.reservation
);

-- Reservations are counted on from where entries stood, so that no number is given twice.
DELETE FROM sqlite_sequence WHERE name = 'ledger_reservations';
INSERT INTO sqlite_sequence (name, seq) SELECT 'ledger_reservations', coalesce(max(id), 0) FROM ledger_entries;

DROP TABLE ledger_entries_before;
DROP TABLE ledger_months;

CREATE UNIQUE INDEX ledger_once ON ledger_entries (reservation, kind);
CREATE UNIQUE INDEX ledger_ended_once ON ledger_entries (reservation) WHERE kind IN ('settle', 'expire');
CREATE INDEX ledger_turns ON ledger_entries (day, turn) WHERE kind = 'reserve';

-- Running totals, one row a day; a month is the sum of 31 of them at most. Adding up the entries at every
-- reservation would take longer with every question of the day.
CREATE TABLE ledger_days (
    day       TEXT    PRIMARY KEY,
    spent     INTEGER NOT NULL CHECK (spent >= 0),
    reserved  INTEGER NOT NULL CHECK (reserved >= 0),
    questions INTEGER NOT NULL CHECK (questions >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO ledger_days (day, spent, reserved, questions)
SELECT day,
    sum(CASE kind WHEN 'settle' THEN amount ELSE 0 END),
    sum(CASE WHEN kind = 'reserve' AND EXISTS (SELECT 1 FROM ledger_reservations WHERE id = entry.reservation)
        THEN amount ELSE 0 END),
    count(DISTINCT turn)
FROM ledger_entries AS entry GROUP BY day;

-- The same for a customer's day, under a hash of day and customer: no name is kept, and the row goes on the second
-- day after.
CREATE TABLE ledger_customers (
    customer BLOB    PRIMARY KEY,
    day      TEXT    NOT NULL,
    spent    INTEGER NOT NULL CHECK (spent >= 0),
    reserved INTEGER NOT NULL CHECK (reserved >= 0)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_reserves AFTER INSERT ON ledger_reservations
BEGIN
    INSERT INTO ledger_entries (kind, reservation, day, turn, amount, at)
    VALUES ('reserve', NEW.id, NEW.day, NEW.turn, NEW.amount, NEW.at);
    INSERT INTO ledger_customers (customer, day, spent, reserved)
    SELECT NEW.customer, NEW.day, 0, NEW.amount WHERE NEW.customer IS NOT NULL
    ON CONFLICT (customer) DO UPDATE SET reserved = reserved + NEW.amount;
END;

CREATE TRIGGER ledger_counts_reserved AFTER INSERT ON ledger_entries WHEN NEW.kind = 'reserve'
BEGIN
    INSERT INTO ledger_days (day, spent, reserved, questions) VALUES (NEW.day, 0, 0, 0)
    ON CONFLICT (day) DO NOTHING;
    UPDATE ledger_days SET
        reserved = reserved + NEW.amount,
        -- A turn may reserve more than once; it is one question.
        questions = questions + NOT EXISTS (
            SELECT 1 FROM ledger_entries
            WHERE kind = 'reserve' AND day = NEW.day AND turn = NEW.turn AND id <> NEW.id
        )
    WHERE day = NEW.day;
END;

CREATE TRIGGER ledger_counts_ended AFTER INSERT ON ledger_entries WHEN NEW.kind IN ('settle', 'expire')
BEGIN
    UPDATE ledger_days SET
        spent = spent + NEW.amount,
        reserved = reserved
            - (SELECT amount FROM ledger_entries WHERE reservation = NEW.reservation AND kind = 'reserve')
    WHERE day = NEW.day;
    UPDATE ledger_customers SET
        spent = spent + NEW.amount,
        reserved = reserved - (SELECT amount FROM ledger_reservations WHERE id = NEW.reservation)
    WHERE customer = (SELECT customer FROM ledger_reservations WHERE id = NEW.reservation);
    DELETE FROM ledger_reservations WHERE id = NEW.reservation AND NEW.kind = 'settle';
    UPDATE ledger_reservations SET expired = 1 WHERE id = NEW.reservation;
END;

CREATE TRIGGER ledger_counts_corrected AFTER INSERT ON ledger_entries WHEN NEW.kind = 'correct'
BEGIN
    UPDATE ledger_days SET spent = spent + NEW.amount WHERE day = NEW.day;
    UPDATE ledger_customers SET spent = spent + NEW.amount
    WHERE customer = (SELECT customer FROM ledger_reservations WHERE id = NEW.reservation);
    DELETE FROM ledger_reservations WHERE id = NEW.reservation;
END;

-- With the first entry of a day, what was kept of customers two days before and earlier goes.
CREATE TRIGGER ledger_forgets AFTER INSERT ON ledger_days
BEGIN
    DELETE FROM ledger_customers WHERE day < date(NEW.day, '-1 day');
    DELETE FROM ledger_reservations WHERE expired = 1 AND day < date(NEW.day, '-1 day');
    UPDATE ledger_reservations SET customer = NULL WHERE day < date(NEW.day, '-1 day');
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
    OR EXISTS (SELECT 1 FROM ledger_entries WHERE reservation = NEW.reservation AND kind = NEW.kind)
    OR NEW.kind IN ('settle', 'expire') AND EXISTS (
        SELECT 1 FROM ledger_entries WHERE reservation = NEW.reservation AND kind IN ('settle', 'expire')
    )
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_reserves_what_waits BEFORE INSERT ON ledger_entries
WHEN NEW.kind = 'reserve' AND NOT EXISTS (
    SELECT 1 FROM ledger_reservations WHERE id = NEW.reservation AND day = NEW.day AND amount = NEW.amount
)
BEGIN
    SELECT RAISE(ABORT, 'a reservation begins in ledger_reservations');
END;

CREATE TRIGGER ledger_ends_what_was_reserved BEFORE INSERT ON ledger_entries
WHEN NEW.kind <> 'reserve' AND NOT EXISTS (
    SELECT 1 FROM ledger_entries
    WHERE reservation = NEW.reservation AND day = NEW.day
        AND kind = CASE NEW.kind WHEN 'correct' THEN 'expire' ELSE 'reserve' END
)
BEGIN
    SELECT RAISE(ABORT, 'a settlement needs a reservation of its day, a correction an expiry');
END;

-- What was warned of, once each: that so much of a cap is used, or that a day costs far more than those before.
CREATE TABLE ledger_warnings (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    about   TEXT    NOT NULL CHECK (about IN ('month', 'day', 'customer-day', 'spike')),
    period  TEXT    NOT NULL, -- the month or the day
    percent INTEGER NOT NULL CHECK (percent > 0),
    spent   INTEGER NOT NULL CHECK (spent >= 0),
    most    INTEGER NOT NULL CHECK (most >= 0), -- the cap, or the mean of the days before
    at      INTEGER NOT NULL,
    sent    INTEGER, -- when the shop's webhook took it; NULL: not yet
    UNIQUE (about, period, most, percent)
) STRICT;
