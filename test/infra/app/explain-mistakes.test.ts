import { Stack } from 'aws-cdk-lib';
import { afterEach, expect, it, vi } from 'vitest';
import { explainMistakes } from '../../../lib/app/explain-mistakes.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const exitCode = process.exitCode;

afterEach(() => {
  process.exitCode = exitCode;
  vi.restoreAllMocks();
});

/** What explainMistakes prints for an app, and the exit code that it sets. */
async function explained(run: () => void): Promise<{ readonly text: string; readonly code: unknown }> {
  let text = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  await explainMistakes(run);
  const code = process.exitCode;
  vi.restoreAllMocks();
  return { text, code };
}

it('prints a wrong prop as its message alone', async () => {
  const { text, code } = await explained(() => {
    pipelineIn(new Stack(quickApp(), 'Shop'), { retension: 1 } as never);
  });
  expect(text).toBe(
    'The props of the SMS pipeline Shop/Sms are wrong:\n  retension: not a prop; did you mean retention?\n',
  );
  expect(code).toBe(1);
});

it('prints what the validation of the CDK reports, also without a stack trace', async () => {
  const { text, code } = await explained(() => {
    const app = quickApp();
    const stack = new Stack(app, 'Shop');
    for (const id of ['Sms', 'Other']) pipelineIn(stack, { metricsNamespace: 'Same' }, id);
    app.synth();
  });
  expect(text).toMatch(/^Validation failed with the following errors:\n {2}\[Shop\/Sms\] metricsNamespace: /);
  expect(text).not.toContain('    at ');
  expect(code).toBe(1);
});

it('throws a defect', async () => {
  await expect(
    explainMistakes(() => {
      throw new TypeError('defect');
    }),
  ).rejects.toThrow('defect');
});
