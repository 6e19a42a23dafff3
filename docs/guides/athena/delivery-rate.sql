-- Of last month (UTC): delivery rate by day of the first receipt, the source and the first eight characters of the number.
SELECT
  date(first_seen_at) AS sent_on,
  source,
  substr(phone, 1, 8) AS prefix,
  count(*) AS messages,
  count_if(status IN ('delivered', 'read')) AS delivered,
  round(100.0 * count_if(status IN ('delivered', 'read')) / count(*), 1) AS percent
FROM messages
WHERE first_seen_at >= date_trunc('month', current_date) - INTERVAL '1' MONTH AND first_seen_at < date_trunc('month', current_date)
GROUP BY date(first_seen_at), source, substr(phone, 1, 8)
ORDER BY sent_on, messages DESC
