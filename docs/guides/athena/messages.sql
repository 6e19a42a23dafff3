-- The view `messages`: a row for each message, without those of `sms doctor`. Times are in UTC.
CREATE OR REPLACE VIEW messages AS
SELECT
  coalesce(json_extract_scalar(item, '$.source.S'), 'main') AS source,
  json_extract_scalar(item, '$.messageId.S') AS message_id,
  json_extract_scalar(item, '$.phone.S') AS phone,
  json_extract_scalar(item, '$.sendId.S') AS send_id,
  json_extract_scalar(item, '$.status.S') AS status,
  json_extract_scalar(item, '$.final.BOOL') = 'true' AS is_final,
  json_extract_scalar(item, '$.errorCode.S') AS error_code,
  json_extract_scalar(item, '$.errorReason.S') AS error_reason,
  json_extract_scalar(item, '$.errorText.S') AS error_text,
  CAST(json_extract_scalar(item, '$.price.S') AS decimal(38, 12)) AS price,
  json_extract_scalar(item, '$.currency.S') AS currency,
  CAST(json_extract_scalar(item, '$.segments.N') AS integer) AS segments,
  json_extract_scalar(item, '$.network.S') AS network,
  json_extract_scalar(item, '$.carrier.S') AS carrier,
  CAST(from_iso8601_timestamp(json_extract_scalar(item, '$.statusAt.S')) AS timestamp) AS status_at,
  CAST(from_iso8601_timestamp(json_extract_scalar(item, '$.firstSeenAt.S')) AS timestamp) AS first_seen_at
FROM items
WHERE pk LIKE 'message#%' AND NOT regexp_like(pk, '^message#([a-z][a-z0-9-]*/)?sms-doctor-')
