-- Zs as the counters closed them, receipts that lie on paper, and days that were signed. Runs as pos_owner.

-- One row for each Z of a counter, whichever of its journals told it. `sums`: by currency, text (store/zs.py).
-- `finding`: '' or what is wrong with it: sums (not what its own range comes to), chain (does not follow the one before).
CREATE TABLE z_report (
    shop integer NOT NULL,
    counter integer NOT NULL,
    digest text NOT NULL CHECK (length(digest) BETWEEN 8 AND 128),
    life integer NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    business_date date NOT NULL,
    from_seq bigint NOT NULL,
    to_seq bigint NOT NULL,
    ended text NOT NULL,
    currency text NOT NULL,
    sums text NOT NULL,
    finding text NOT NULL,
    detail text NOT NULL,
    PRIMARY KEY (counter, digest),
    CHECK (from_seq BETWEEN 1 AND to_seq)
);
CREATE INDEX z_report_by_date ON z_report (shop, business_date);

-- A receipt's print, at whichever counter; `job` is its number there, `asked` the wall when somebody wanted it.
CREATE TABLE printed (
    shop integer NOT NULL,
    counter integer NOT NULL,
    job bigint NOT NULL,
    asked text NOT NULL,
    life integer NOT NULL,
    seq bigint NOT NULL,
    attempt_id text NOT NULL,
    copy integer NOT NULL,
    began boolean NOT NULL,
    state text NOT NULL,
    PRIMARY KEY (counter, job, asked)
);
CREATE INDEX printed_of_attempt ON printed (attempt_id);

-- What somebody signed, as it stood then: never changed. `content`: the day with its Zs and who was missing
-- (store/days.py), `digest` its SHA-256, `act` the line of the acts.
CREATE TABLE store_day (
    shop integer NOT NULL,
    business_date date NOT NULL,
    signed timestamptz NOT NULL DEFAULT now(),
    act bigint NOT NULL,
    who text NOT NULL,
    reason text NOT NULL,
    content text NOT NULL,
    digest text NOT NULL,
    PRIMARY KEY (shop, business_date)
);
CREATE TRIGGER store_day_is_never_changed BEFORE UPDATE OR DELETE ON store_day
    FOR EACH ROW EXECUTE FUNCTION never_changed();
CREATE TRIGGER store_day_needs_an_act BEFORE INSERT ON store_day FOR EACH ROW EXECUTE FUNCTION needs_an_act();

DO $$
DECLARE each text;
BEGIN
    FOREACH each IN ARRAY ARRAY['z_report', 'printed', 'store_day']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
        EXECUTE format('CREATE POLICY counters ON %I TO pos_receive USING (true) WITH CHECK (true)', each);
        EXECUTE format('CREATE POLICY readers ON %I TO pos_page USING (shop = ANY ((SELECT string_to_array('
            'nullif(current_setting(''pos.shops'', true), ''''), '','')::int[])::int[]))', each);
    END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON z_report, printed TO pos_receive;
GRANT SELECT ON store_day TO pos_receive;
GRANT SELECT ON z_report, printed TO pos_page;
GRANT SELECT, INSERT ON store_day TO pos_page;
