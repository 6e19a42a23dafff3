-- Time from the first report to the first that says delivered or read, by the times of the service, by day.
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
  WHERE pk LIKE 'message#%' AND pk NOT LIKE 'message#sms-doctor-%'
  GROUP BY pk
),
reports AS (
  SELECT
    pk,
    from_unixtime(from_base(substr(element_at(element, 'S'), 2, 8), 36) / 1000e0) AS occurred_at,
    substr(element_at(element, 'S'), 1, 1) IN ('d', 'r') AS arrived
  FROM items
  CROSS JOIN UNNEST(CAST(json_extract(item, '$.e.L') AS array(map(varchar, varchar)))) AS list (element)
  WHERE substr(element_at(element, 'S'), 2, 1) <> '-'
),
deliveries AS (
  SELECT
    pk,
    min(occurred_at) FILTER (WHERE NOT arrived) AS began_at,
    min(occurred_at) FILTER (WHERE arrived) AS delivered_at
  FROM reports
  GROUP BY pk
),
times AS (
  SELECT
    date(began_at AT TIME ZONE 'UTC') AS began_on,
    date_diff('millisecond', began_at, delivered_at) / 1000e0 AS seconds
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
WHERE began_on BETWEEN DATE '2026-01-01' AND DATE '2026-01-31'
GROUP BY began_on
ORDER BY began_on
