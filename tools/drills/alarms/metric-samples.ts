import * as z from 'zod';

/** One value of a metric. */
export interface Sample {
  /** As {@link seriesKey} gives it. */
  readonly series: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

/** The identity of a metric: one dimension more or less makes another metric. */
export function seriesKey(
  namespace: string,
  metric: string,
  dimensions: Readonly<Record<string, string>>,
): string {
  const named = Object.entries(dimensions)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  return [namespace, metric, ...named].join('/');
}

/** A log line in CloudWatch's embedded metric format. */
const embedded = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

const values = z.union([z.number().transform((value) => [value]), z.array(z.number())]);

/** The values that CloudWatch would take from a function's log: lines in the embedded metric format, all others left out. */
export function samplesOfLog(text: string): Sample[] {
  return text.split('\n').flatMap((line) => (line.includes('"_aws"') ? samplesOfLine(line) : []));
}

function samplesOfLine(line: string): Sample[] {
  const { data } = embedded.safeParse(parseJson(line));
  if (data === undefined) return [];
  const { Timestamp: at, CloudWatchMetrics } = data._aws;
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(data[name])]));
      return Metrics.flatMap(({ Name }) =>
        (values.safeParse(data[Name]).data ?? []).map((value) => ({
          series: seriesKey(Namespace, Name, dimensions),
          at,
          value,
        })),
      );
    }),
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
