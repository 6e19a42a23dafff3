-- The files that hold a number, with or without its country code and separators: as the recipient of a message, as the sender of a reply, or in the register of opt-outs.
SELECT DISTINCT "$path" FROM history WHERE regexp_like(record, '202[^0-9]{0,3}555[^0-9]{0,3}0143')
