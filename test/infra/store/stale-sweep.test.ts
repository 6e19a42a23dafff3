import { describe, expect, it } from 'vitest';
import { functionNamed, resource, templatesFor } from '../support/built-app.ts';

const { pipeline } = templatesFor();

describe('the sweep', () => {
  const sweep = functionNamed(pipeline, 'sweep');

  it('runs every hour without retries, so that runs never accumulate', () => {
    expect(resource(pipeline, 'AWS::Events::Rule', 'Sweep').Properties).toEqual({
      Description: expect.any(String),
      ScheduleExpression: 'rate(1 hour)',
      State: 'ENABLED',
      Targets: [
        {
          Id: expect.any(String),
          Arn: { 'Fn::GetAtt': [sweep.id, 'Arn'] },
          RetryPolicy: { MaximumEventAgeInSeconds: 1800 },
        },
      ],
    });
    expect(resource(pipeline, 'AWS::Lambda::EventInvokeConfig', 'Sweep').Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 1800,
    });
  });

  it('times out after five minutes, before the next run begins', () => {
    expect(sweep.Properties).toMatchObject({ Timeout: 300, MemorySize: 256 });
  });
});
