-- The view `items`: the newest state of each item of the history that changed in the last 90 days. Deleted items have no state.
-- Athena reads the exports of these days for each query. To read more or fewer days, change 90 and run this statement again.
CREATE OR REPLACE VIEW items AS
SELECT pk, max_by(item, day) AS item
FROM (
  SELECT
    day,
    json_extract_scalar(record, '$.Keys.pk.S') AS pk,
    json_format(json_extract(record, '$.NewImage')) AS item
  FROM history
  WHERE day >= date_format(current_date - INTERVAL '90' DAY, '%Y-%m-%d')
)
GROUP BY pk
