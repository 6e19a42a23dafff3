import * as z from 'zod';

const metricLine = z.looseObject({
  service: z.string(),
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({ Namespace: z.string(), Metrics: z.array(z.object({ Name: z.string() })) }),
    ),
  }),
});

/** The custom metrics that a function's log tells of in the embedded metric format, each once: `<service> <name>`. */
export function emittedMetrics(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes('"_aws"'));
  const names = lines.flatMap((line) => {
    const { service, _aws } = metricLine.parse(JSON.parse(line));
    return _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => `${service} ${Name}`));
  });
  return [...new Set(names)];
}
