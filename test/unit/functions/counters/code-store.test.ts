import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createCodes } from '../../../../functions/counters/code-store.ts';
import { maxCodes } from '../../../../functions/counters/count-names.ts';
import { answers, scriptedAws } from '../../../support/scripted-aws.ts';

const codes = Array.from({ length: maxCodes }, (_, index) => `c${index}`);
const item = { pk: { S: 'codes' }, sk: { S: '-' }, codes: { SS: codes } };

it('the first code without a count of its own is reported once', async () => {
  const { settings } = scriptedAws(answers({ Responses: { insights: [item] }, UnprocessedKeys: {} }));
  let reports = 0;
  const nameCodes = createCodes(new DynamoDBClient(settings), 'insights', () => {
    reports += 1;
  });
  expect((await nameCodes([{ 'ek#c1': 1, 'ek#*': 2 }]))({ 'ek#c1': 1 })).toEqual({ 'ek#c1': 1 });
  expect(reports).toBe(0);
  expect((await nameCodes([{ 'ek#new': 3 }]))({ 'ek#new': 3 })).toEqual({ 'ek#*': 3 });
  await nameCodes([{ 'ek#newer': 1 }]);
  expect(reports).toBe(1);
});
