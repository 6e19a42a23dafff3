import { expect, test } from 'vitest';
import { statusesOf } from '../../../../console/rules/failure-filter.ts';
import { outcomeOrder } from '../../../../console/rules/rates.ts';
import { canonicalStatuses } from '../../../../contract/schema/sms-event.ts';

test('each status has one outcome', () => {
  expect(outcomeOrder.flatMap(statusesOf).toSorted()).toEqual(canonicalStatuses.toSorted());
  expect(statusesOf('delivered')).toEqual(['delivered', 'read']);
  expect(statusesOf('pending')).toContain('unknown');
});
