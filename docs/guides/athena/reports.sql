-- The view `reports`: a row for each report about a message. Times are in UTC.
CREATE OR REPLACE VIEW reports AS
SELECT
  coalesce(json_extract_scalar(item, '$.source.S'), 'main') AS source,
  json_extract_scalar(item, '$.messageId.S') AS message_id,
  json_extract_scalar(item, '$.phone.S') AS phone,
  json_extract_scalar(item, '$.sendId.S') AS send_id,
  substr(name, 8) AS event_id,
  json_extract_scalar(report, '$.M.status.S') AS status,
  json_extract_scalar(report, '$.M.errorCode.S') AS error_code,
  json_extract_scalar(report, '$.M.errorReason.S') AS error_reason,
  CAST(from_iso8601_timestamp(json_extract_scalar(report, '$.M.at.S')) AS timestamp) AS occurred_at,
  CAST(from_iso8601_timestamp(json_extract_scalar(report, '$.M.receivedAt.S')) AS timestamp) AS received_at
FROM items
CROSS JOIN UNNEST(CAST(json_parse(item) AS map(varchar, json))) AS attributes (name, report)
WHERE pk LIKE 'message#%' AND NOT regexp_like(pk, '^message#([a-z][a-z0-9-]*/)?sms-doctor-') AND name LIKE 'report#%'
