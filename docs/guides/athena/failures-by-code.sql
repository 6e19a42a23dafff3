-- Of last month (UTC): messages that failed, by their source, the reason and the code of the service, with one of its texts.
SELECT
  source,
  error_reason,
  error_code,
  count(*) AS failed,
  arbitrary(error_text) AS example
FROM messages
WHERE status IN ('failed', 'undelivered', 'rejected', 'expired')
  AND status_at >= date_trunc('month', current_date) - INTERVAL '1' MONTH AND status_at < date_trunc('month', current_date)
GROUP BY source, error_reason, error_code
ORDER BY failed DESC
