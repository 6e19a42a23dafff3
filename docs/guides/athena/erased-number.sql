-- The files that hold a number: as the recipient of a message, as the sender of a reply, or in the register of opt-outs.
SELECT DISTINCT "$path" FROM history WHERE record LIKE '%+12025550143%'
