import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createCodes } from '../../../../../functions/insights/counters/code-store.ts';
import { maxCodes } from '../../../../../functions/insights/counters/count-names.ts';
import { answers, scriptedAws } from '../../../../support/scripted-aws.ts';

const codes = Array.from({ length: maxCodes }, (_, index) => `c${index}`);
const item = { pk: { S: 'error-codes' }, sk: { S: 'figures' }, codes: { SS: codes } };

it('the first code without a count of its own is reported once', async () => {
  const { settings } = scriptedAws(answers({ Responses: { insights: [item] }, UnprocessedKeys: {} }));
  let reports = 0;
  const nameCodes = createCodes(new DynamoDBClient(settings), 'insights', () => {
    reports += 1;
  });
  expect(
    (await nameCodes([{ 'error#unknown#c1': 1, 'error#unknown#*': 2 }]))({ 'error#unknown#c1': 1 }),
  ).toEqual({ 'error#unknown#c1': 1 });
  expect(reports).toBe(0);
  expect((await nameCodes([{ 'error#unknown#new': 3 }]))({ 'error#unknown#new': 3 })).toEqual({
    'error#unknown#*': 3,
  });
  await nameCodes([{ 'error#unknown#newer': 1 }]);
  expect(reports).toBe(1);
});
