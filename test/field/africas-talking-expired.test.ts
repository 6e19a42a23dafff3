import { expect, it } from 'vitest';
import { eventsOf } from './support/preset.ts';

/*
 * Africa's Talking ends messages with the words Expired and AbsentSubscriber, which receivers did not list, so the messages never ended
 * (nyaruka/courier, pull request 387).
 */

const report = (fields: string) => eventsOf('africas-talking', `phoneNumber=%2B254700000101&${fields}`)[0];

it('a message that expired has failed', () => {
  expect(report('id=ATXid_1&status=Expired&networkCode=63902&retryCount=0')).toMatchObject({
    messageId: 'ATXid_1',
    status: 'expired',
    rank: 100,
  });
});

it('a message to a phone that cannot be reached has failed, with the reason', () => {
  const failed = { status: 'undelivered', rank: 100, errorReason: 'unreachable' };
  expect(report('id=ATXid_2&status=AbsentSubscriber&retryCount=0')).toMatchObject(failed);
  expect(report('id=ATXid_2&status=AbsentSubscriber&failureReason=UserIsInactive')).toMatchObject({
    ...failed,
    errorCode: 'UserIsInactive',
  });
});
