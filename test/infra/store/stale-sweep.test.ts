import { describe, expect, it } from 'vitest';
import { functionNamed, resource, templatesFor } from '../support/built-app.ts';

const { pipeline } = templatesFor();

describe('the sweep', () => {
  const sweep = functionNamed(pipeline, 'sweep');

  it('runs every hour, without retries of a run that cannot begin', () => {
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
  });

  it('is not retried after a failed run, so that runs never accumulate', () => {
    pipeline.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: sweep.id },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 1800,
    });
  });

  it('times out after five minutes, before the next run begins', () => {
    expect(sweep.Properties).toMatchObject({ Timeout: 300, MemorySize: 256 });
  });

  it('has a waiting time of three days in its environment', () => {
    expect(sweep.Properties.Environment).toMatchObject({ Variables: { STALE_AFTER_HOURS: '72' } });
  });

  it('is named in an output', () => {
    expect(pipeline.toJSON().Outputs.SweepFunctionName.Value).toEqual({ Ref: sweep.id });
  });
});
