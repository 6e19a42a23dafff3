-- Of last month (UTC): time from the first report to the first that says delivered or read, by the times of the service, by day.
WITH deliveries AS (
  SELECT
    source,
    message_id,
    min(occurred_at) FILTER (WHERE status NOT IN ('delivered', 'read')) AS began_at,
    min(occurred_at) FILTER (WHERE status IN ('delivered', 'read')) AS delivered_at
  FROM reports
  GROUP BY source, message_id
),
times AS (
  SELECT date(began_at) AS began_on, date_diff('millisecond', began_at, delivered_at) / 1000e0 AS seconds
  FROM deliveries
  WHERE delivered_at >= began_at
)
SELECT
  began_on,
  count(*) AS delivered,
  approx_percentile(seconds, 0.5) AS half_within_s,
  approx_percentile(seconds, 0.95) AS p95_s,
  approx_percentile(seconds, 0.99) AS p99_s
FROM times
WHERE began_on >= date_trunc('month', current_date) - INTERVAL '1' MONTH AND began_on < date_trunc('month', current_date)
GROUP BY began_on
ORDER BY began_on
