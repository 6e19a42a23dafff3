-- Of the messages of each send that were delivered last month (UTC), how many were answered. A reply that names no message belongs to the latest one of the three days before it.
WITH delivered AS (
  SELECT * FROM messages WHERE status IN ('delivered', 'read')
),
answered AS (
  SELECT DISTINCT source, message_id
  FROM (
    SELECT
      replies.source,
      coalesce(replies.message_id, max_by(delivered.message_id, delivered.first_seen_at)) AS message_id
    FROM replies
    LEFT JOIN delivered
      ON replies.message_id IS NULL
      AND delivered.source = replies.source
      AND delivered.phone = replies.phone
      AND replies.occurred_at BETWEEN delivered.first_seen_at AND delivered.first_seen_at + INTERVAL '3' DAY
    GROUP BY replies.source, replies.reply_id, replies.message_id
  )
)
SELECT
  coalesce(delivered.send_id, 'no send') AS send,
  count(*) AS delivered,
  count(answered.message_id) AS answered,
  round(100.0 * count(answered.message_id) / count(*), 1) AS percent
FROM delivered
LEFT JOIN answered ON answered.source = delivered.source AND answered.message_id = delivered.message_id
WHERE delivered.first_seen_at >= date_trunc('month', current_date) - INTERVAL '1' MONTH
  AND delivered.first_seen_at < date_trunc('month', current_date)
GROUP BY coalesce(delivered.send_id, 'no send')
ORDER BY delivered DESC
