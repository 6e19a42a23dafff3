-- The files that hold a number: the digits of its key, with an F behind an odd count, and the number as text, as opt-outs and replies have it.
SELECT DISTINCT "$path" FROM history
WHERE record LIKE '%' || to_base64(from_hex('12025550143F')) || '%' OR record LIKE '%+12025550143%';
