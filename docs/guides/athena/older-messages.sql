-- The files of a full export, as a table. Replace the bucket and the id of the export. Athena runs one statement at a time.
CREATE EXTERNAL TABLE history_before (record string)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\001'
LOCATION 's3://BUCKET/full/AWSDynamoDB/EXPORT-ID/data/';

-- Then replace the view `items` by one that reads both.
CREATE OR REPLACE VIEW items AS
SELECT pk, max_by(item, day) FILTER (WHERE item IS NOT NULL) AS item
FROM (
  SELECT
    day,
    json_extract_scalar(record, '$.Keys.pk.S') AS pk,
    json_format(json_extract(record, '$.NewImage')) AS item
  FROM history
  WHERE day >= date_format(current_date - INTERVAL '90' DAY, '%Y-%m-%d')
  UNION ALL
  SELECT
    '' AS day,
    json_extract_scalar(record, '$.Item.pk.S') AS pk,
    json_format(json_extract(record, '$.Item')) AS item
  FROM history_before
)
GROUP BY pk
HAVING max_by(item, day) IS NOT NULL
  OR CAST(from_unixtime(CAST(json_extract_scalar(
    max_by(item, day) FILTER (WHERE item IS NOT NULL), '$.expiresAt.N') AS bigint)) AT TIME ZONE 'UTC' AS date) <= date(nullif(max(day), ''));
