-- What every store has: shops, counters, their journals' batches, the attempts in them and the sums over those.
-- Runs as pos_owner, in one transaction. Partitions of batch and attempt are made by store/months.py.

CREATE TABLE store (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    store_id text NOT NULL,
    name text NOT NULL,
    epoch integer NOT NULL DEFAULT 1,
    epoch_began timestamptz NOT NULL DEFAULT '-infinity',
    made timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE shop (
    shop integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 80),
    cutoff_minutes integer NOT NULL DEFAULT 0 CHECK (cutoff_minutes BETWEEN 0 AND 1439),
    made timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE counter (
    counter integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    shop integer NOT NULL REFERENCES shop,
    merchant_id text NOT NULL,
    counter_id bigint NOT NULL,
    environment text NOT NULL,
    name text NOT NULL,
    UNIQUE (shop, environment, merchant_id, counter_id)
);

-- One journal of a counter. A counter that begins anew joins again, with a higher life.
CREATE TABLE installation (
    life integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    installation text NOT NULL UNIQUE,
    shop integer NOT NULL REFERENCES shop,
    counter integer NOT NULL REFERENCES counter,
    public_key bytea NOT NULL CHECK (length(public_key) = 32),
    state text NOT NULL DEFAULT 'joined' CHECK (state IN ('joined', 'left', 'revoked')),
    currency text NOT NULL DEFAULT '',
    head_seq bigint NOT NULL DEFAULT 0,
    head_mac bytea NOT NULL DEFAULT '',
    head_header bytea,
    head_signature bytea,
    joined timestamptz NOT NULL DEFAULT now(),
    revoked timestamptz
) WITH (fillfactor = 50);
CREATE INDEX installation_of_counter ON installation (counter, life);

CREATE TABLE join_code (
    code_key bytea PRIMARY KEY,
    shop integer NOT NULL REFERENCES shop,
    until timestamptz NOT NULL,
    used_by text
);

CREATE TABLE challenge (
    challenge bytea PRIMARY KEY,
    installation text NOT NULL,
    until timestamptz NOT NULL
);

CREATE TABLE counter_session (
    token_hash bytea PRIMARY KEY,
    life integer NOT NULL REFERENCES installation,
    until timestamptz NOT NULL
);
CREATE INDEX counter_session_of ON counter_session (life);

-- `body` is the events' text as it was posted (zlib); `header` and `signature` what the counter signed.
CREATE TABLE batch (
    shop integer NOT NULL,
    life integer NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    received timestamptz NOT NULL DEFAULT now(),
    mac bytea NOT NULL,
    header bytea NOT NULL,
    signature bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (life, last, received),
    CHECK (first BETWEEN 1 AND last)
) PARTITION BY RANGE (received);
CREATE TABLE batch_default PARTITION OF batch DEFAULT;

CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is never changed', TG_TABLE_NAME; END $$;
CREATE TRIGGER batch_is_never_changed BEFORE UPDATE OR DELETE ON batch
    FOR EACH ROW EXECUTE FUNCTION never_changed();

-- The newest that the newest life of a counter told of each attempt. `counted_*`: where it stands in the sums, and
-- `counted_seq` the event that brought it there; counted_state is '' while it is open or needs attention.
CREATE TABLE attempt (
    attempt_id text NOT NULL,
    tapped_on date NOT NULL,
    shop integer NOT NULL,
    counter integer NOT NULL,
    life integer NOT NULL,
    seq bigint NOT NULL,
    number integer NOT NULL CHECK (number >= 0),
    recovered boolean NOT NULL,
    open boolean NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    reason text NOT NULL,
    code text NOT NULL,
    amount numeric NOT NULL CHECK (amount >= 0 AND amount < 1e15),
    minor bigint,
    currency text NOT NULL CHECK (length(currency) <= 8),
    tapped timestamptz NOT NULL,
    counted_on date,
    counted_hour text NOT NULL,
    counted_state text NOT NULL,
    counted_seq bigint NOT NULL,
    sale_id text NOT NULL,
    owner text NOT NULL,
    wallet_mask text NOT NULL,
    wallet_transaction_id text NOT NULL,
    invoice_number text NOT NULL,
    payment_reference text NOT NULL,
    receipt bigint NOT NULL,
    receipt_of text NOT NULL,
    answer text NOT NULL,
    PRIMARY KEY (attempt_id, tapped_on)
) PARTITION BY RANGE (tapped_on);
CREATE TABLE attempt_default PARTITION OF attempt DEFAULT;
CREATE INDEX attempt_by_time ON attempt (shop, tapped);
CREATE INDEX attempt_by_amount ON attempt (shop, minor, tapped);
CREATE INDEX attempt_by_wallet ON attempt (wallet_transaction_id) WHERE wallet_transaction_id <> '';
CREATE INDEX attempt_open ON attempt (shop, counter, tapped) WHERE open;
CREATE INDEX attempt_late ON attempt (shop, tapped) WHERE state = 'PAID_LATE' AND answer = '';
CREATE INDEX attempt_by_receipt ON attempt (receipt_of, receipt) WHERE receipt > 0;

-- Attempts that were told again by another life: the only ones that can stand at another date than the first told.
CREATE TABLE told_again (
    attempt_id text PRIMARY KEY,
    shop integer NOT NULL,
    life integer NOT NULL
);

CREATE TABLE takings (
    shop integer NOT NULL,
    business_date date NOT NULL,
    counter integer NOT NULL,
    hour text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    currency text NOT NULL,
    n bigint NOT NULL,
    minor numeric NOT NULL,
    PRIMARY KEY (shop, business_date, counter, hour, kind, state, currency)
) WITH (fillfactor = 50);

CREATE TABLE takings_day (
    shop integer NOT NULL,
    business_date date NOT NULL,
    counter integer NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    currency text NOT NULL,
    n bigint NOT NULL,
    minor numeric NOT NULL,
    PRIMARY KEY (shop, business_date, counter, kind, state, currency)
) WITH (fillfactor = 50);

-- What a page that is being watched asks for once a second. `open_n`, `attention_n`: attempts of any age.
CREATE TABLE counter_now (
    counter integer PRIMARY KEY REFERENCES counter,
    shop integer NOT NULL,
    life integer NOT NULL,
    changed timestamptz NOT NULL DEFAULT now(),
    seen timestamptz NOT NULL DEFAULT now(),
    told_wall text NOT NULL DEFAULT '',
    told_seq bigint NOT NULL DEFAULT 0,
    open_n integer NOT NULL DEFAULT 0,
    version text NOT NULL DEFAULT '',
    wall text NOT NULL DEFAULT '',
    skew_ms bigint NOT NULL DEFAULT 0,
    waiting bigint NOT NULL DEFAULT 0,
    disk_free bigint NOT NULL DEFAULT -1
) WITH (fillfactor = 50);
CREATE INDEX counter_now_of_shop ON counter_now (shop);

-- A batch that is signed by a counter's own key and belongs to another history: kept apart, in no sum.
CREATE TABLE fork (
    shop integer NOT NULL,
    life integer NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    received timestamptz NOT NULL DEFAULT now(),
    mac bytea NOT NULL,
    header bytea NOT NULL,
    signature bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (life, mac)
);

-- What was told, signed and whole, and does not fit a table here: its batch is held, the head went on.
CREATE TABLE unfit (
    shop integer NOT NULL,
    life integer NOT NULL,
    seq bigint NOT NULL,
    kind text NOT NULL,
    why text NOT NULL,
    noticed timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (life, seq)
);

-- fork, behind (the store was), restored, revoked_key, revoked: what the Counters screen shows.
CREATE TABLE incident (
    incident bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    shop integer NOT NULL,
    life integer,
    kind text NOT NULL,
    seq bigint NOT NULL DEFAULT 0,
    detail text NOT NULL DEFAULT '',
    noticed timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX incident_of_shop ON incident (shop, noticed);

-- Row security. pos_receive serves all counters; pos_page sees the shops that its transaction names, never another.
DO $$
DECLARE each text;
BEGIN
    FOREACH each IN ARRAY ARRAY['shop', 'counter', 'installation', 'batch', 'attempt', 'told_again', 'takings',
        'takings_day', 'counter_now', 'fork', 'unfit', 'incident', 'join_code']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
        EXECUTE format('CREATE POLICY counters ON %I TO pos_receive USING (true) WITH CHECK (true)', each);
        EXECUTE format('CREATE POLICY readers ON %I TO pos_page USING (shop = ANY ((SELECT string_to_array('
            'nullif(current_setting(''pos.shops'', true), ''''), '','')::int[])::int[]))', each);
    END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE ON store, shop, counter, installation TO pos_receive;
GRANT SELECT, INSERT, UPDATE, DELETE ON join_code, challenge, counter_session TO pos_receive;
GRANT SELECT, INSERT ON batch, fork, incident TO pos_receive;
-- Projections: rebuilt from the batches at any time.
GRANT SELECT, INSERT, UPDATE, DELETE ON attempt, told_again, takings, takings_day, counter_now, unfit TO pos_receive;
GRANT SELECT ON store, shop, counter, batch, attempt, told_again, takings, takings_day, counter_now, fork, unfit,
    incident TO pos_page;
GRANT SELECT (life, installation, shop, counter, state, currency, head_seq, head_mac, joined, revoked)
    ON installation TO pos_page;
