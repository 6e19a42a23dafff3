import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { LambdaFunction } from '../../lib/constructs/lambda-function.ts';
import { newFolder, resource, stubBundles } from './support.ts';

function functionWith(options: { reservedConcurrency?: number }) {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false, outdir: newFolder() }), 'Test');
  new LambdaFunction(stack, 'Worker', {
    name: 'worker',
    description: 'A worker.',
    bundles: stubBundles,
    logRetentionDays: 1,
    metricsNamespace: 'Test',
    memoryMiB: 128,
    timeoutSeconds: 1,
    environment: {},
    ...options,
  });
  return resource(Template.fromStack(stack), 'AWS::Lambda::Function').Properties;
}

describe('concurrency of a function', () => {
  it.each([0, 3])('is set aside where it says so: %i', (reservedConcurrency) => {
    expect(functionWith({ reservedConcurrency }).ReservedConcurrentExecutions).toBe(reservedConcurrency);
  });

  it('is shared with the account where it says nothing', () => {
    expect(functionWith({})).not.toHaveProperty('ReservedConcurrentExecutions');
  });
});
