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
  WHERE (pk LIKE 'message#%' AND pk NOT LIKE 'message#sms-doctor-%') OR pk LIKE 'reply#%'
  GROUP BY pk
),
-- The packed number, and the packed id of a message's send or of a reply's message.
packed AS (
  SELECT
    pk,
    item,
    from_base64(json_extract_scalar(item, '$.n.B')) AS number,
    if(
      pk LIKE 'message#%',
      from_hex(regexp_replace(to_hex(from_base64(json_extract_scalar(item, '$.l.B'))), '..$')),
      from_base64(json_extract_scalar(item, '$.m.B'))
    ) AS id
  FROM items
  WHERE item IS NOT NULL
),
forms AS (
  SELECT *, from_base(to_hex(substr(id, -1)), 16) AS form, to_base64url(id) AS word FROM packed
),
unpacked AS (
  SELECT
    pk,
    item,
    if(
      to_hex(number) LIKE '00%',
      from_utf8(substr(number, 2)),
      '+' || regexp_replace(to_hex(number), 'F$')
    ) AS phone,
    CASE form
      WHEN 0 THEN from_utf8(substr(id, 1, length(id) - 1))
      WHEN 1 THEN regexp_replace(
        lower(to_hex(id)),
        '^(.{8})(.{4})(.{4})(.{4})(.{12})01$', '$1-$2-$3-$4-$5'
      )
      WHEN 2 THEN lower(regexp_replace(to_hex(id), '..$'))
      ELSE if(form % 64 >= 20, 'msg_', '') || substr(word, 1, length(word) - 1 - form % 4)
    END AS id
  FROM forms
),
messages AS (
  SELECT
    coalesce(json_extract_scalar(item, '$.id.S'), substr(pk, 9)) AS message_id,
    coalesce(json_extract_scalar(item, '$.send.S'), id) AS send_id,
    phone,
    from_unixtime(CAST(json_extract_scalar(item, '$.t.N') AS bigint) / 1000e0) AS first_seen_at
  FROM unpacked
  WHERE pk LIKE 'message#%'
    AND CAST(json_extract_scalar(item, '$.w.N') AS bigint) / 10000000000000 >= 110
),
replies AS (
  SELECT
    pk AS reply_id,
    id AS message_id,
    phone,
    from_unixtime(CAST(json_extract_scalar(item, '$.t.N') AS bigint) / 1000e0) AS occurred_at
  FROM unpacked
  WHERE pk LIKE 'reply#%'
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
