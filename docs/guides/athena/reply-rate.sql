-- Of the delivered messages of each send, how many were answered. A reply that names no message belongs to the latest one of the three days before it.
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
  WHERE pk LIKE 'message#%' OR pk LIKE 'reply#%'
  GROUP BY pk
),
messages AS (
  SELECT
    substr(pk, 9) AS message_id,
    coalesce(
      regexp_replace(
        lower(to_hex(from_base64(json_extract_scalar(item, '$.l.B')))),
        '^(.{8})(.{4})(.{4})(.{4})(.{12})01..$', '$1-$2-$3-$4-$5'
      ),
      json_extract_scalar(item, '$.sendId.S')
    ) AS send_id,
    coalesce(
      '+' || regexp_replace(to_hex(from_base64(json_extract_scalar(item, '$.n.B'))), 'F$', ''),
      json_extract_scalar(item, '$.phone.S')
    ) AS phone,
    coalesce(
      from_unixtime(CAST(json_extract_scalar(item, '$.t.N') AS bigint) / 1000e0),
      from_iso8601_timestamp(json_extract_scalar(item, '$.firstSeenAt.S'))
    ) AS first_seen_at
  FROM items
  WHERE item IS NOT NULL AND pk LIKE 'message#%' AND coalesce(
    CAST(json_extract_scalar(item, '$.w.N') AS bigint) / 10000000000000,
    CAST(json_extract_scalar(item, '$.rank.N') AS bigint)
  ) >= 110
),
replies AS (
  SELECT
    pk AS reply_id,
    coalesce(
      regexp_replace(
        lower(to_hex(from_base64(json_extract_scalar(item, '$.m.B')))),
        '^(.{8})(.{4})(.{4})(.{4})(.{12})01$', '$1-$2-$3-$4-$5'
      ),
      json_extract_scalar(item, '$.messageId.S')
    ) AS message_id,
    coalesce(
      '+' || regexp_replace(to_hex(from_base64(json_extract_scalar(item, '$.n.B'))), 'F$', ''),
      json_extract_scalar(item, '$.phone.S')
    ) AS phone,
    coalesce(
      from_unixtime(CAST(json_extract_scalar(item, '$.t.N') AS bigint) / 1000e0),
      from_iso8601_timestamp(json_extract_scalar(item, '$.occurredAt.S'))
    ) AS occurred_at
  FROM items
  WHERE item IS NOT NULL AND pk LIKE 'reply#%'
),
answered AS (
  SELECT DISTINCT message_id
  FROM (
    SELECT coalesce(replies.message_id, max_by(messages.message_id, messages.first_seen_at)) AS message_id
    FROM replies
    LEFT JOIN messages
      ON replies.message_id IS NULL
      AND messages.phone = replies.phone
      AND replies.occurred_at BETWEEN messages.first_seen_at AND messages.first_seen_at + INTERVAL '3' DAY
    GROUP BY replies.reply_id, replies.message_id
  )
)
SELECT
  coalesce(messages.send_id, 'no send') AS send,
  count(*) AS delivered,
  count(answered.message_id) AS answered,
  round(100.0 * count(answered.message_id) / count(*), 1) AS percent
FROM messages
LEFT JOIN answered ON answered.message_id = messages.message_id
WHERE messages.first_seen_at >= TIMESTAMP '2026-01-01 00:00:00 UTC'
  AND messages.first_seen_at < TIMESTAMP '2026-02-01 00:00:00 UTC'
GROUP BY coalesce(messages.send_id, 'no send')
ORDER BY delivered DESC
