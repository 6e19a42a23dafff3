import { describe, expect, it } from 'vitest';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import { list, statementsOf } from '../support/allowed-actions.ts';
import { everyFunction, resourcesOf, templateFor } from '../support/built-app.ts';

const templateWith = (tracing: string) =>
  templateFor(tracing === 'off' ? everyFunction : { ...everyFunction, 'sms:tracing': tracing });
const functionsWith = (tracing: string) =>
  Object.values(resourcesOf(templateWith(tracing), 'AWS::Lambda::Function'));
const xrayOf = (tracing: string) =>
  Object.values(resourcesOf(templateWith(tracing), 'AWS::IAM::Policy')).map((policy) =>
    statementsOf(policy).flatMap(({ Action, Resource }) =>
      list(Action)
        .filter((action) => action.startsWith('xray:'))
        .map((action) => [action, Resource]),
    ),
  );

describe('tracing', () => {
  it('is on for each function, whose role may send traces and call nothing else of X-Ray', () => {
    const functions = functionsWith('on');
    // All but that of the console.
    expect(functions).toHaveLength(functionNames.length - 1);
    for (const { Properties } of functions) expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
    const statements = xrayOf('on');
    expect(statements).toHaveLength(functions.length);
    for (const each of statements)
      expect(each).toEqual([
        ['xray:PutTelemetryRecords', '*'],
        ['xray:PutTraceSegments', '*'],
      ]);
  });

  it('is off by default, without permission to send traces', () => {
    for (const { Properties } of functionsWith('off')) expect(Properties).not.toHaveProperty('TracingConfig');
    expect(xrayOf('off').flat()).toEqual([]);
  });
});
