-- Under which key a journal signs, as pages may know it. Runs as pos_owner.
-- All lives of a journal sign with one key, and a key is refused whole: a page compares keys, and reads none.
ALTER TABLE installation ADD COLUMN signer bytea GENERATED ALWAYS AS (sha256(public_key)) STORED;
GRANT SELECT (signer) ON installation TO pos_page;
