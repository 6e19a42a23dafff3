-- The view `items`: the newest state of each item of the history that changed in the last 90 days.
-- An item that DynamoDB has deleted because its time to live was over stays. One that was deleted before, as an erasure does, is left out.
-- Athena reads the exports of these days for each query. To read more or fewer days, change 90 and run this statement again.
CREATE OR REPLACE VIEW items AS
SELECT pk, max_by(item, day) FILTER (WHERE item IS NOT NULL) AS item
FROM (
  SELECT
    day,
    json_extract_scalar(record, '$.Keys.pk.S') AS pk,
    json_format(json_extract(record, '$.NewImage')) AS item
  FROM history
  WHERE day >= date_format(current_date - INTERVAL '90' DAY, '%Y-%m-%d')
)
GROUP BY pk
HAVING max_by(item, day) IS NOT NULL
  OR CAST(from_unixtime(CAST(json_extract_scalar(
    max_by(item, day) FILTER (WHERE item IS NOT NULL), '$.expiresAt.N') AS bigint)) AT TIME ZONE 'UTC' AS date) <= date(max(day))
