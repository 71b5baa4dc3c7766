-- Tills that use one counter's number at the same time. Runs as pos_owner, in one transaction.

-- On which business date a journal told something while a newer one of its counter had joined, and which the newest was
-- then. No projection: no batch says who else had joined when it came, so that a rebuild leaves these rows.
CREATE TABLE beside (
    shop integer NOT NULL,
    counter integer NOT NULL,
    life integer NOT NULL,
    business_date date NOT NULL,
    newest integer NOT NULL,
    PRIMARY KEY (life, business_date),
    CHECK (newest > life)
);
CREATE INDEX beside_by_date ON beside (shop, business_date);

-- number: of two journals of a counter that are both in use, `life` and, as `seq`, the newer one: told once.
CREATE UNIQUE INDEX incident_of_two ON incident (life, seq) WHERE kind = 'number';

ALTER TABLE beside ENABLE ROW LEVEL SECURITY;
ALTER TABLE beside FORCE ROW LEVEL SECURITY;
CREATE POLICY counters ON beside TO pos_receive USING (true) WITH CHECK (true);
CREATE POLICY readers ON beside TO pos_page USING (shop = ANY ((SELECT string_to_array(
    nullif(current_setting('pos.shops', true), ''), ',')::int[])::int[]));
GRANT SELECT, INSERT, UPDATE ON beside TO pos_receive;
GRANT SELECT ON beside TO pos_page;
