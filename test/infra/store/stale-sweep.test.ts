import { describe, expect, it } from 'vitest';
import { functionNamed, resource, templatesFor } from '../support/built-app.ts';

const { pipeline } = templatesFor();

describe('the sweep', () => {
  const sweep = functionNamed(pipeline, 'sweep');

  it('runs every hour; a run that cannot begin is left to the next', () => {
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

  it('is not tried again after a run that failed, so that runs never gather', () => {
    pipeline.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: sweep.id },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 1800,
    });
  });

  it('has five minutes, so that a run has ended when the next one begins', () => {
    expect(sweep.Properties).toMatchObject({ Timeout: 300, MemorySize: 256 });
  });

  it('has three days as the time to wait in its environment', () => {
    expect(sweep.Properties.Environment).toMatchObject({ Variables: { STALE_AFTER_HOURS: '72' } });
  });

  it('is named in an output', () => {
    expect(pipeline.toJSON().Outputs.SweepFunctionName.Value).toEqual({ Ref: sweep.id });
  });
});
