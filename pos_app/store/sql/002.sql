-- Who may read the owner's page, and what was changed by hand, chained. Runs as pos_owner, in one transaction.
--
-- pos_door knows accounts and sessions and no payment; pos_page sees the readers of the shops that its transaction
-- names, and of an account neither password nor secret.

CREATE TABLE account (
    account integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9.-]{3,40}$'),
    shown text NOT NULL CHECK (length(shown) BETWEEN 1 AND 60),
    language text NOT NULL DEFAULT 'en',
    password text,
    totp bytea,
    totp_step bigint NOT NULL DEFAULT 0,
    seen timestamptz,
    made timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE reader (
    account integer NOT NULL REFERENCES account,
    shop integer NOT NULL REFERENCES shop,
    role text NOT NULL CHECK (role IN ('owner', 'manager', 'reader')),
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account, shop)
);
CREATE INDEX reader_of_shop ON reader (shop);

-- `digest` is all that is kept of a code, a link or a cookie.
CREATE TABLE recovery_code (
    digest bytea PRIMARY KEY,
    account integer NOT NULL REFERENCES account
);
CREATE INDEX recovery_code_of ON recovery_code (account);

CREATE TABLE account_link (
    digest bytea PRIMARY KEY,
    account integer NOT NULL REFERENCES account,
    until timestamptz NOT NULL
);
CREATE INDEX account_link_of ON account_link (account);

-- stage: `code` has typed a password and owes a code; `app` owes the set-up of an app; `in` is in.
CREATE TABLE page_session (
    digest bytea PRIMARY KEY,
    account integer NOT NULL REFERENCES account,
    stage text NOT NULL CHECK (stage IN ('code', 'app', 'in')),
    fresh_totp bytea,
    made timestamptz NOT NULL DEFAULT now(),
    seen timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX page_session_of ON page_session (account);

-- Wrong tries in a row, counted before they are looked at; by the digest of the name typed, whether it is one or not.
CREATE TABLE login_try (
    name bytea PRIMARY KEY,
    wrong integer NOT NULL,
    last timestamptz NOT NULL DEFAULT now()
);

-- `mac`: SHA-256 over the one before and everything of this line (store/acts.py). shop 0: of the whole store.
CREATE TABLE act (
    number bigint PRIMARY KEY,
    at timestamptz NOT NULL,
    shop integer NOT NULL,
    account integer NOT NULL,
    who text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    before bytea NOT NULL,
    mac bytea NOT NULL
);
CREATE INDEX act_of_shop ON act (shop, number);
CREATE TRIGGER act_is_never_changed BEFORE UPDATE OR DELETE ON act FOR EACH ROW EXECUTE FUNCTION never_changed();

CREATE TABLE act_head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    number bigint NOT NULL,
    mac bytea NOT NULL
);
INSERT INTO act_head (number, mac) VALUES (0, '');

-- Nothing is changed by hand without a line in the same transaction: the line says so to the transaction.
CREATE FUNCTION says_that_an_act_stands() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM set_config('pos.act', NEW.number::text, true); RETURN NEW; END $$;
CREATE TRIGGER act_stands BEFORE INSERT ON act FOR EACH ROW EXECUTE FUNCTION says_that_an_act_stands();

CREATE FUNCTION needs_an_act() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    IF current_user IN ('pos_page', 'pos_door') AND coalesce(current_setting('pos.act', true), '') = '' THEN
        RAISE EXCEPTION '% is changed without an act', TG_TABLE_NAME;
    END IF;
    RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER account_needs_an_act BEFORE INSERT OR UPDATE OF name, shown, language, password, totp OR DELETE ON account
    FOR EACH ROW EXECUTE FUNCTION needs_an_act();
CREATE TRIGGER reader_needs_an_act BEFORE INSERT OR UPDATE OR DELETE ON reader
    FOR EACH ROW EXECUTE FUNCTION needs_an_act();
CREATE TRIGGER account_link_needs_an_act BEFORE INSERT ON account_link FOR EACH ROW EXECUTE FUNCTION needs_an_act();
CREATE TRIGGER recovery_code_needs_an_act BEFORE INSERT OR DELETE ON recovery_code
    FOR EACH ROW EXECUTE FUNCTION needs_an_act();
CREATE TRIGGER join_code_needs_an_act BEFORE INSERT ON join_code FOR EACH ROW EXECUTE FUNCTION needs_an_act();
CREATE TRIGGER installation_needs_an_act BEFORE UPDATE ON installation FOR EACH ROW EXECUTE FUNCTION needs_an_act();

DO $$
DECLARE each text;
BEGIN
    FOREACH each IN ARRAY ARRAY['account', 'reader', 'recovery_code', 'account_link', 'page_session', 'login_try',
        'act', 'act_head']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
        EXECUTE format('CREATE POLICY door ON %I TO pos_door USING (true) WITH CHECK (true)', each);
    END LOOP;
    FOREACH each IN ARRAY ARRAY['reader', 'act']
    LOOP
        EXECUTE format('CREATE POLICY readers ON %I TO pos_page USING (shop = ANY ((SELECT string_to_array('
            'nullif(current_setting(''pos.shops'', true), ''''), '','')::int[])::int[]))', each);
    END LOOP;
    -- Of acts of a person's own (shop 0) each sees their own.
    CREATE POLICY own ON act TO pos_page
        USING (shop = 0 AND account = nullif(current_setting('pos.account', true), '')::int);
    -- A row of reader is seen where its shop is; so is its account.
    CREATE POLICY readers ON account TO pos_page
        USING (EXISTS (SELECT FROM reader WHERE reader.account = account.account));
    CREATE POLICY everybody ON act_head TO pos_page USING (true) WITH CHECK (true);
    CREATE POLICY counters ON act TO pos_receive USING (true) WITH CHECK (true);
    CREATE POLICY counters ON act_head TO pos_receive USING (true) WITH CHECK (true);
END $$;

GRANT SELECT ON shop, store TO pos_door;
CREATE POLICY door ON shop TO pos_door USING (true);
GRANT SELECT, INSERT, UPDATE ON account TO pos_door;
GRANT SELECT, INSERT, UPDATE, DELETE ON reader, recovery_code, account_link, page_session, login_try TO pos_door;
GRANT SELECT, INSERT ON act TO pos_door, pos_page, pos_receive;
GRANT SELECT, UPDATE ON act_head TO pos_door, pos_page, pos_receive;

GRANT SELECT (account, name, shown, language, seen, made) ON account TO pos_page;
GRANT SELECT, UPDATE, DELETE ON reader TO pos_page;
GRANT INSERT ON join_code TO pos_page;
GRANT UPDATE (state, revoked) ON installation TO pos_page;
GRANT INSERT ON incident TO pos_page;
