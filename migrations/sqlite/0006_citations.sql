-- What a citation shows beside the text: the page's dates, when it was read, its place in the file, and
-- the names of passages that say the same.
ALTER TABLE passages ADD COLUMN date TEXT;
ALTER TABLE passages ADD COLUMN valid_until TEXT;
ALTER TABLE passages ADD COLUMN read_at INTEGER; -- milliseconds since 1970
ALTER TABLE passages ADD COLUMN first_byte INTEGER NOT NULL DEFAULT 0 CHECK (first_byte >= 0);
ALTER TABLE passages ADD COLUMN end_byte INTEGER NOT NULL DEFAULT 0 CHECK (end_byte >= first_byte);
ALTER TABLE passages ADD COLUMN also TEXT NOT NULL DEFAULT '[]'; -- a JSON array of names
