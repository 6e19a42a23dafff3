-- The view `replies`: a row for each reply. Times are in UTC. `message_id` is empty where the service does not say which message it answers.
CREATE OR REPLACE VIEW replies AS
SELECT
  coalesce(json_extract_scalar(item, '$.source.S'), 'main') AS source,
  json_extract_scalar(item, '$.replyId.S') AS reply_id,
  json_extract_scalar(item, '$.phone.S') AS phone,
  json_extract_scalar(item, '$.to.S') AS receiver,
  json_extract_scalar(item, '$.text.S') AS text,
  json_extract_scalar(item, '$.messageId.S') AS message_id,
  CAST(from_iso8601_timestamp(json_extract_scalar(item, '$.occurredAt.S')) AS timestamp) AS occurred_at,
  CAST(from_iso8601_timestamp(json_extract_scalar(item, '$.receivedAt.S')) AS timestamp) AS received_at
FROM items
WHERE pk LIKE 'reply#%'
