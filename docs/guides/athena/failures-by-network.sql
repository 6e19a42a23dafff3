-- Of last month (UTC): how many messages failed in each network, and in which share of the messages.
SELECT
  source,
  network,
  arbitrary(carrier) AS carrier,
  count(*) AS messages,
  count_if(status IN ('failed', 'undelivered', 'rejected', 'expired')) AS failed,
  round(100.0 * count_if(status IN ('failed', 'undelivered', 'rejected', 'expired')) / count(*), 1) AS percent
FROM messages
WHERE first_seen_at >= date_trunc('month', current_date) - INTERVAL '1' MONTH AND first_seen_at < date_trunc('month', current_date)
GROUP BY source, network
ORDER BY failed DESC
