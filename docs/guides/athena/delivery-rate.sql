-- Delivery rate by day of the first receipt and the first eight characters of the number. Rank 110 and more is delivered or read. Change the dates in both places.
WITH records AS (
  SELECT day, record FROM history WHERE day BETWEEN '2026-01-01' AND '2026-02-04'
),
items AS (
  SELECT pk, max_by(item, day) AS item
  FROM (
    SELECT
      day,
      coalesce(json_extract_scalar(record, '$.Keys.pk.S'), json_extract_scalar(record, '$.Item.pk.S')) AS pk,
      coalesce(json_extract(record, '$.NewImage'), json_extract(record, '$.Item')) AS item
    FROM records
  )
  WHERE pk LIKE 'message#%' AND pk NOT LIKE 'message#sms-doctor-%'
  GROUP BY pk
),
messages AS (
  SELECT
    substr(to_iso8601(from_unixtime(CAST(json_extract_scalar(item, '$.t.N') AS bigint) / 1000e0)), 1, 10) AS sent_on,
    if(
      to_hex(from_base64(json_extract_scalar(item, '$.n.B'))) LIKE '00%',
      from_utf8(substr(from_base64(json_extract_scalar(item, '$.n.B')), 2)),
      '+' || to_hex(from_base64(json_extract_scalar(item, '$.n.B')))
    ) AS number,
    CAST(json_extract_scalar(item, '$.w.N') AS bigint) / 10000000000000 AS rank
  FROM items
  WHERE item IS NOT NULL
)
SELECT
  sent_on,
  substr(number, 1, 8) AS prefix,
  count(*) AS messages,
  count_if(rank >= 110) AS delivered,
  round(100.0 * count_if(rank >= 110) / count(*), 1) AS percent
FROM messages
WHERE sent_on BETWEEN '2026-01-01' AND '2026-01-31'
GROUP BY sent_on, substr(number, 1, 8)
ORDER BY sent_on, messages DESC
