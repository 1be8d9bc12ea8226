-- Whose stops: what was stopped belongs to a customer and a conversation, also where no turn of it was kept.
ALTER TABLE stops ADD COLUMN conversation TEXT;
ALTER TABLE stops ADD COLUMN customer TEXT;

UPDATE stops SET
    conversation = (SELECT conversation FROM turns WHERE turns.turn = stops.turn),
    customer = (SELECT customer FROM turns WHERE turns.turn = stops.turn);

CREATE INDEX stops_conversation ON stops (conversation) WHERE conversation IS NOT NULL;
CREATE INDEX stops_customer ON stops (customer) WHERE customer IS NOT NULL;
