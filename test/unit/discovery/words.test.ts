import { describe, expect, it } from 'vitest';
import { readContractToTest } from '../../../cli/input/contract-file.ts';
import { shippedContracts } from '../../../contract/document/contract-file-store.ts';
import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { guessStatus, reasonOfCode } from '../../../discovery/words.ts';

const presets = await Promise.all(
  shippedContracts().map(async (path) => ({
    name: path.split('/').at(-1) ?? path,
    contract: await readContractToTest(path),
  })),
);

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
    ['QUEUED', 'queued'],
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
    expect(guessStatus(word)).toMatchObject({ status, isWhole: true });
  });

  // The words of successes are from nyaruka/courier, handlers/wavy and handlers/junebug.
  it.each([
    ['SENT_SUCCESS', 'sent'],
    ['SUBMIT_SUCCESS', 'sent'],
    ['sent_successfully', 'sent'],
    ['DELIVERED_SUCCESS', 'delivered'],
    ['delivery_succeeded', 'delivered'],
    ['UNSUCCESSFUL', 'failed'],
    ['could_not_be_delivered', 'undelivered'],
  ] as const)('%s is at most %s', (word, status) => {
    expect(guessStatus(word)).toEqual({ status, isWhole: false });
  });

  it.each([
    'NOT-SENT',
    'not_sent',
    'UNSENT',
    'NEVER SENT',
    'NOT_ACCEPTED',
    'NOT_YET_DELIVERED',
    'NO_ERROR',
    'not failed',
  ])('has no meaning for the negation "%s"', (word) => {
    expect(guessStatus(word)).toBeUndefined();
  });

  it.each(['DELIVERED_THEN_FAILED', 'SENT_AND_DELIVERED', 'QUERY_SUCCESS'])(
    'has no meaning for "%s", whose parts contradict each other or say too little',
    (word) => {
      expect(guessStatus(word)).toBeUndefined();
    },
  );

  it.each([
    ['DeliveryImpossible', 'undelivered'],
    ['DeliveryUncertain', 'unknown'],
    ['MessageWaiting', 'queued'],
    ['DeliveredToNetwork', 'sent'],
    ['DeliveredToTerminal', 'delivered'],
  ] as const)('knows the word %s of Parlay X (nyaruka/courier, handlers/mtn)', (word, status) => {
    expect(guessStatus(word)).toMatchObject({ status, isWhole: true });
  });

  it('names the other meanings of a word on which services disagree', () => {
    expect(guessStatus('success')).toEqual({ status: 'delivered', isWhole: true, rivals: ['sent'] });
    expect(guessStatus('delivery_pending')).toEqual({ status: 'sent', isWhole: true, rivals: ['queued'] });
    expect(guessStatus('message-sending')).toEqual({ status: 'queued', isWhole: true, rivals: ['sent'] });
    expect(guessStatus('buffered')).toEqual({ status: 'queued', isWhole: true, rivals: ['sent'] });
  });

  it.each(presets)('knows each word of $name, or is not certain of it', ({ contract }) => {
    const words = Object.entries(contract.statuses).filter(([word]) => /[a-z]{2}/i.test(word));
    for (const [word, status] of words) {
      const guess = guessStatus(word);
      expect(guess, word).toMatchObject({ isWhole: true });
      if (guess?.rivals === undefined) expect(guess?.status, word).toBe(status);
      else expect([guess.status, ...guess.rivals], word).toContain(status);
    }
    const codes = Object.keys(contract.statuses).filter((word) => !/[a-z]{2}/i.test(word));
    expect(codes.filter((code) => guessStatus(code) !== undefined)).toEqual([]);
  });

  it('guesses by a part of the word, and not at all for an unknown word', () => {
    expect(guessStatus('REJECTED_NOT_ENOUGH_CREDITS')).toEqual({ status: 'rejected', isWhole: false });
    expect(guessStatus('EC_ABSENT_SUBSCRIBER')).toEqual({ status: 'undelivered', isWhole: false });
    for (const word of ['8', 'HELD', 'bread', '', 'x'.repeat(65)]) expect(guessStatus(word)).toBeUndefined();
  });

  it('takes the reason of an error from the presets for a word, and never for a number', () => {
    expect(reasonOfCode('EC_ABSENT_SUBSCRIBER')).toBe('unreachable');
    expect(reasonOfCode('InsufficientBalance')).toBe('insufficient_funds');
    for (const code of ['30003', '1', 'NO_ERROR', 'SOME_ERROR']) expect(reasonOfCode(code)).toBeUndefined();
  });

  it('knows every canonical status', () => {
    for (const status of canonicalStatuses)
      expect(guessStatus(status)).toMatchObject({ status, isWhole: true });
  });
});
