-- Whose a payment and a Z are: the shop and the journal of which this store heard of them first. Runs as pos_owner.

-- Never changed, and no projection: what a batch tells of another's payments is told apart by it, whenever that comes.
-- `name` of an installation: its id, which stands in the ids of its payments; of any other payment: the payment's id;
-- of a Z: its digest.
CREATE TABLE origin (
    kind text NOT NULL CHECK (kind IN ('installation', 'attempt', 'z')),
    name text NOT NULL,
    shop integer NOT NULL,
    counter integer NOT NULL,
    public_key bytea NOT NULL CHECK (length(public_key) = 32),
    PRIMARY KEY (kind, name)
);

-- `about`: of what is noted once in each journal, however often that tells it: a payment of another's, or a Z.
ALTER TABLE unfit ADD COLUMN about text NOT NULL DEFAULT '';
CREATE UNIQUE INDEX unfit_once ON unfit (life, about) WHERE about <> '';
CREATE INDEX unfit_zs ON unfit (life, seq) WHERE kind = 'Z_CLOSED' AND about <> '';

-- What is held already. The owner, too, sees no row where row security is forced.
ALTER TABLE installation NO FORCE ROW LEVEL SECURITY;
ALTER TABLE attempt NO FORCE ROW LEVEL SECURITY;
ALTER TABLE z_report NO FORCE ROW LEVEL SECURITY;
INSERT INTO origin SELECT 'installation', installation, shop, counter, public_key FROM installation;
INSERT INTO origin SELECT DISTINCT ON (1, 2) CASE WHEN own IS NULL THEN 'attempt' ELSE 'installation' END,
    coalesce(own, attempt_id), a.shop, a.counter, i.public_key
    FROM (SELECT *, substring(attempt_id FROM
        '^(?:SBX-)?T([2-9A-HJKMNP-TV-Z]{8})-[0-9]{4,10}-[0-9]{1,4}(?:-[2-9A-HJKMNP-TV-Z]{6})?$') AS own FROM attempt) a
    JOIN installation i USING (life) ORDER BY 1, 2, life ON CONFLICT DO NOTHING;
INSERT INTO origin SELECT DISTINCT ON (digest) 'z', digest, z.shop, z.counter, i.public_key
    FROM z_report z JOIN installation i USING (life) ORDER BY digest, life;
ALTER TABLE installation FORCE ROW LEVEL SECURITY;
ALTER TABLE attempt FORCE ROW LEVEL SECURITY;
ALTER TABLE z_report FORCE ROW LEVEL SECURITY;

ALTER TABLE origin ENABLE ROW LEVEL SECURITY;
ALTER TABLE origin FORCE ROW LEVEL SECURITY;
CREATE POLICY counters ON origin TO pos_receive USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON origin TO pos_receive;
