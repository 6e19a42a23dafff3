import { expect, it } from 'vitest';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import { changedSettings, everyFunction, resourcesOf, templateFor } from '../support/built-app.ts';

const functionsWith = (context: Record<string, unknown>) =>
  Object.values(resourcesOf(templateFor(context), 'AWS::Lambda::Function')).filter(
    // The CDK's function that uploads the console's page has a runtime and a log of its own.
    ({ Properties }) => String(Properties.Runtime).startsWith('nodejs'),
  );

it.each([
  ['the defaults', everyFunction, 'WARN', functionNames.length - 1],
  // With the console's function.
  ['sms:invocationLogs', changedSettings, 'INFO', functionNames.length],
] as const)('with %s Lambda itself logs of every function', (_, context, SystemLogLevel, count) => {
  const functions = functionsWith(context);
  expect(functions).toHaveLength(count);
  for (const { Properties } of functions)
    expect(Properties.LoggingConfig).toMatchObject({
      LogFormat: 'JSON',
      SystemLogLevel,
      // Metrics are lines without a level, which count as INFO.
      ApplicationLogLevel: 'INFO',
    });
});
