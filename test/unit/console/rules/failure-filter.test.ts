import { expect, test } from 'vitest';
import { failedFor, statusesOf } from '../../../../console/rules/failure-filter.ts';
import { outcomeOrder } from '../../../../console/rules/rates.ts';
import { canonicalStatuses } from '../../../../contract/schema/sms-event.ts';

test('each status has one outcome', () => {
  expect(outcomeOrder.flatMap(statusesOf).toSorted()).toEqual(canonicalStatuses.toSorted());
  expect(statusesOf('delivered')).toEqual(['delivered', 'read']);
  expect(statusesOf('pending')).toContain('unknown');
});

const at = '2026-01-15T12:00:00.000Z';
const failedWith = (report: { errorReason?: string; errorCode?: string }) => ({
  messageId: 'msg-1',
  phone: null,
  sendId: null,
  status: 'failed',
  final: true,
  statusAt: at,
  firstSeenAt: at,
  conflict: false,
  events: [{ eventId: 'evt-1', status: 'failed', occurredAt: at, receivedAt: at, ...report }],
});

test('a failure is found by its reason, and by its code', () => {
  const message = failedWith({ errorReason: 'unreachable', errorCode: '30003' });
  expect(failedFor(message, { reason: 'unreachable', code: undefined })).toBe(true);
  expect(failedFor(message, { reason: 'unreachable', code: '30003' })).toBe(true);
  expect(failedFor(message, { reason: 'unreachable', code: '30004' })).toBe(false);
  expect(failedFor(message, { reason: 'landline', code: '30003' })).toBe(false);
});

test('a failure without a reason and without a code counts as unknown, without a code', () => {
  expect(failedFor(failedWith({}), { reason: 'unknown', code: '' })).toBe(true);
  expect(failedFor(failedWith({ errorCode: '7' }), { reason: 'unknown', code: '' })).toBe(false);
});
