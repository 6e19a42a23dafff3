-- The files of a full export, as a table. Replace the bucket and the id of the export. Athena runs one statement at a time.
CREATE EXTERNAL TABLE history_before (record string)
ROW FORMAT DELIMITED FIELDS TERMINATED BY '\001'
LOCATION 's3://BUCKET/full/AWSDynamoDB/EXPORT-ID/data/';

-- Then begin each query with both.
WITH records AS (
  SELECT day, record FROM history WHERE day BETWEEN '2026-01-01' AND '2026-02-04'
  UNION ALL
  SELECT '' AS day, record FROM history_before
)
SELECT count(*) FROM records;
