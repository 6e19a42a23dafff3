/**
 * Histograms of delivery times with a limited relative error: the buckets of DDSketch (Masson, Rim, Lee: "DDSketch: A Fast and
 * Fully-Mergeable Quantile Sketch with Relative-Error Guarantees", VLDB 2019, section 2.1). Their borders are powers of gamma, so the counts of
 * two histograms can be added and subtracted.
 */

/** A quantile differs from the true one by at most this share of it. */
export const maxRelativeError = 0.02;

const gamma = (1 + maxRelativeError) / (1 - maxRelativeError);
const logGamma = Math.log(gamma);

/** The bucket of times of 0 ms, which have no logarithm. */
export const zeroBucket = -1;

/** Returns the bucket of a time. @param ms whole milliseconds, at least 0 */
export function bucketOf(ms: number): number {
  return ms <= 0 ? zeroBucket : Math.max(0, Math.ceil(Math.log(ms) / logGamma));
}

/** Returns the largest whole millisecond of a bucket. {@link bucketOf} leads back from it to the bucket, if the bucket has any whole millisecond. */
export function lastMillisecondOf(bucket: number): number {
  if (bucket === zeroBucket) return 0;
  // Floating-point numbers put a border of the buckets a little lower or higher than the logarithm does.
  let ms = Math.floor(gamma ** bucket);
  while (bucketOf(ms) > bucket) ms -= 1;
  while (bucketOf(ms + 1) <= bucket) ms += 1;
  return ms;
}

/** Returns the time that stands for a bucket, in milliseconds. It differs from every time in the bucket by at most {@link maxRelativeError}. */
export function timeOf(bucket: number): number {
  return bucket === zeroBucket ? 0 : (2 * gamma ** bucket) / (gamma + 1);
}

/**
 * Returns a quantile of times in milliseconds; undefined if there are none.
 *
 * @param times counts by bucket
 * @param q from 0 to 1: 0.95 for the time that 95 % of messages did not exceed
 */
export function quantile(times: ReadonlyMap<number, number>, q: number): number | undefined {
  const buckets = [...times].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(q * total));
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= rank) return timeOf(bucket);
  }
  return undefined;
}
