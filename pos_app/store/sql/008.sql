-- Which payments are a sale's second one or later, and what a sale's others are: each screen of the owner's page asks
-- how many were paid twice. Runs as pos_owner, in one transaction.
CREATE INDEX attempt_again ON attempt (shop, tapped) WHERE number > 1;
CREATE INDEX attempt_of_sale ON attempt (shop, sale_id);
