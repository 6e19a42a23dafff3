import { describe, expect, it } from 'vitest';
import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { guessStatus } from '../../../discovery/words.ts';

describe('guessStatus', () => {
  it.each([
    ['DELIVRD', 'delivered'],
    ['Delivered', 'delivered'],
    ['DELIVERED_TO_HANDSET', 'delivered'],
    ['message.delivered', 'delivered'],
    ['delivered-to-operator', 'sent'],
    ['ENROUTE', 'sent'],
    ['SMS_SENT', 'sent'],
    ['ACCEPTD', 'accepted'],
    ['buffered', 'queued'],
    ['UNDELIV', 'undelivered'],
    ['undeliverable', 'undelivered'],
    ['NOT_DELIVERED', 'undelivered'],
    ['delivery failed', 'undelivered'],
    ['deliveryFailure', 'undelivered'],
    ['REJECTD', 'rejected'],
    ['EXPIRED', 'expired'],
    ['seen', 'read'],
    ['UNKNOWN', 'unknown'],
    ['sending_failed', 'failed'],
  ])('%s is %s', (word, status) => {
    expect(guessStatus(word)).toEqual({ status, isWhole: true });
  });

  it('guesses by a part of the word, and not at all for an unknown word', () => {
    expect(guessStatus('REJECTED_NOT_ENOUGH_CREDITS')).toEqual({ status: 'rejected', isWhole: false });
    expect(guessStatus('EC_ABSENT_SUBSCRIBER')).toEqual({ status: 'undelivered', isWhole: false });
    for (const word of ['8', 'HELD', 'bread', '', 'x'.repeat(65)]) expect(guessStatus(word)).toBeUndefined();
  });

  it('knows every canonical status', () => {
    for (const status of canonicalStatuses) expect(guessStatus(status)).toEqual({ status, isWhole: true });
  });
});
