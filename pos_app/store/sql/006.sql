-- When a counter left. Runs as pos_owner.
-- Until then it was a counter of its shop, and a day of that time that it has not closed lacks what it took.
ALTER TABLE installation ADD COLUMN left_at timestamptz;
GRANT SELECT (left_at) ON installation TO pos_page;

-- Of those that left before: they were heard of last when they left. The owner, too, sees no row where row security is
-- forced.
ALTER TABLE installation NO FORCE ROW LEVEL SECURITY;
ALTER TABLE counter_now NO FORCE ROW LEVEL SECURITY;
UPDATE installation i SET left_at = coalesce((SELECT n.seen FROM counter_now n WHERE n.counter = i.counter), i.joined)
    WHERE state = 'left';
ALTER TABLE installation FORCE ROW LEVEL SECURITY;
ALTER TABLE counter_now FORCE ROW LEVEL SECURITY;
