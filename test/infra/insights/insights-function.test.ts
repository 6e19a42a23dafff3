import { expect, it } from 'vitest';
import { environmentOf, resource, templateFor } from '../support/built-app.ts';

const pipeline = templateFor();

it('insights reads the stream in large batches, in tumbling windows, which name the shard', () => {
  expect(resource(pipeline, 'AWS::Lambda::EventSourceMapping', 'Insights').Properties).toMatchObject({
    BatchSize: 1000,
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumBatchingWindowInSeconds: 15,
    StartingPosition: 'TRIM_HORIZON',
    TumblingWindowInSeconds: 900,
    FilterCriteria: {
      Filters: [
        {
          Pattern: JSON.stringify({
            eventName: ['INSERT', 'MODIFY'],
            dynamodb: { Keys: { pk: { S: [{ prefix: 'message#' }, { prefix: 'reply#' }] } } },
          }),
        },
      ],
    },
  });
});

it('insights keeps its counters for the time in the settings', () => {
  expect(environmentOf('insights')).toMatchObject({ RETENTION_DAYS: '400', HOUR_RETENTION_DAYS: '70' });
  // The command line reads the same.
  pipeline.hasOutput('InsightsRetentionDays', { Value: '400' });
  pipeline.hasOutput('InsightsHourRetentionDays', { Value: '70' });
});

it('insights may write counters, and only read messages', () => {
  const policy = JSON.stringify(resource(pipeline, 'AWS::IAM::Policy', 'Insights').Properties);
  expect(policy).toContain('"Action":["dynamodb:BatchGetItem","dynamodb:ConditionCheckItem"]');
  expect(policy).not.toContain('dynamodb:Scan');
});
