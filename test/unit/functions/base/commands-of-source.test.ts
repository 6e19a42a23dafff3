import { expect, it } from 'vitest';
import { namingSource } from '../../../../functions/base/commands-of-source.ts';

it.each([
  ['sms webhook rotate --force repairs it.', 'sms webhook rotate --force --source backup repairs it.'],
  ['Then run sms webhook reconcile.', 'Then run sms webhook reconcile --source backup.'],
  ['Run "webhook store-secret".', 'Run "webhook store-secret --source backup".'],
  ['The webhook status is unknown.', 'The webhook status is unknown.'],
])('%s is %s of another source, and itself of main', (text, ofSource) => {
  expect([namingSource(text, 'backup'), namingSource(text, undefined)]).toEqual([ofSource, text]);
});
