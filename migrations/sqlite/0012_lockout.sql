-- Where a sign-in failed from: a stranger's failures do not lock out whoever has the right password.
ALTER TABLE sign_in_failures ADD COLUMN address TEXT NOT NULL DEFAULT '';
