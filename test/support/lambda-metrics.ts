import * as z from 'zod';

const countsSchema = z.object({
  invocations: z.number(),
  errors: z.number(),
  throttles: z.number(),
  running: z.number(),
  iteratorAgeMs: z.number().nullable(),
  doubled: z.number(),
});

/** What a local run answers to `GET /local/lambda/metrics`: each function's counters by its label. */
export const lambdaMetricsSchema = z.object({ functions: z.record(z.string(), countsSchema) });

/** What is counted of a function; local/lambda/function-metrics.ts tells what each means. */
export type LambdaCounts = z.output<typeof countsSchema>;

/** Of a function that was never started. */
export const noLambdaCounts: LambdaCounts = {
  invocations: 0,
  errors: 0,
  throttles: 0,
  running: 0,
  iteratorAgeMs: null,
  doubled: 0,
};
