import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeliveredFailure,
  type Failure,
  failureNotice,
  groupFailures,
  maxSubjectLength,
} from '../../../../../functions/automations/failure-alert/failure-notice.ts';
import { assertProperty } from '../../../../support/property.ts';
import { failure } from './failures.ts';

function noticeOf(failures: readonly Failure[]) {
  const [group] = groupFailures(failures.map((one, index) => ({ failure: one, receiptHandle: `r${index}` })));
  if (group === undefined) throw new Error('no group');
  return failureNotice(group, 15);
}

const errorCode = '30008';

describe('a failure notice', () => {
  it('shows the number of failures, their cause, time and ids, and how to list them', () => {
    const errorText = 'Unknown destination handset';
    const { subject, text } = noticeOf([
      ...[1, 2, 3, 4, 5, 6].map((number) => failure(number, { errorCode, errorText })),
      failure(7, { errorCode, errorReason: 'unreachable', status: 'failed' }),
    ]);
    expect(subject).toBe('SMS: 7 messages failed, error 30008');
    expect(text).toContain('7 messages failed: error 30008.');
    expect(text).toContain('2026-01-15T12:00:01.000Z to 2026-01-15T12:00:07.000Z (looked at every 15 min)');
    expect(text).toContain('undelivered 6, failed 1');
    expect(text).toContain('Reason:    unreachable\n');
    expect(text).toContain(errorText);
    expect(text).toContain('The newest 5:');
    const examples = text.split('\n').filter((line) => /^ {2}2026-/.test(line));
    expect(examples.map((line) => /m\d/.exec(line)?.[0])).toEqual(['m7', 'm6', 'm5', 'm4', 'm3']);
    expect(examples[0]).toMatch(/0143/);
    // Until is not included.
    expect(text).toContain(
      'sms message list --since 2026-01-15T12:00:01.000Z --until 2026-01-15T12:00:07.001Z',
    );
  });

  it('is about one source, because another one means something else by the same code', () => {
    const delivered = [
      failure(1, { errorCode }),
      failure(3, { errorCode, source: 'backup' }),
      failure(2, { errorCode, source: 'backup' }),
    ].map((one, index) => ({ failure: one, receiptHandle: `r${index}` }));
    const [ofBackup, ofMain, ...others] = groupFailures(delivered).map((group) => failureNotice(group, 15));
    expect(others).toEqual([]);
    expect(ofBackup?.subject).toBe('SMS: 2 messages of backup failed, error 30008');
    expect(ofBackup?.text).toMatch(/Z {2}backup\/m2 {2}/);
    expect(ofBackup?.text).toContain(' --source backup\n');
    expect(ofMain?.subject).toBe('SMS: 1 message failed, error 30008');
  });

  it('describes one message without code, number and text', () => {
    const { subject, text } = noticeOf([{ ...failure(1), phone: undefined }]);
    expect(subject).toBe('SMS: 1 message failed, status undelivered, no error code');
    expect(text).toContain('2026-01-15T12:00:01.000Z  m1  no number  undelivered');
    expect(text).not.toContain('Service:');
  });

  it('shows the error text that is the most frequent', () => {
    const texts = ['one', 'two', 'two', undefined, undefined, undefined];
    const { text } = noticeOf(texts.map((errorText, number) => failure(number, { errorCode, errorText })));
    expect(text).toMatch(/Service: +two\n/);
  });
});

describe('a failure notice never contains', () => {
  it('a phone number, wherever the service wrote one', () => {
    const { subject, text } = noticeOf([
      failure(1, { errorCode: '+12025550143', errorText: 'cannot reach +1 (202) 555-0143 or 12025550143' }),
    ]);
    expect(subject + text).not.toMatch(/2025550143|555-0143|202555/);
    expect(text).toMatch(/Service: +cannot reach \+\*\*\* or \*\*\*\n/);
  });

  it('a phone number that an id is made of', () => {
    const phone = '+12025550143';
    const { subject, text } = noticeOf([
      failure(1, { phone, messageId: 'tel:12025550143-7' }),
      failure(2, { phone, messageId: 'm-202-555-0143' }),
      failure(3, { messageId: `to:${phone}` }),
      failure(4, { messageId: '20260115120005' }),
      { ...failure(5, { messageId: '1000001/12025550143' }), phone: undefined },
    ]);
    expect(subject + text).not.toMatch(/2025550143|555-0143|202555/);
    expect(text).toContain('20260115120005');
    expect(text).toContain('  1000001/•••0143  no number  ');
  });

  it('a phone number that the id of a message in WhatsApp has in Base64', () => {
    const encoded = Buffer.from('\x1c\x18\x0b12025550143\x15\x02\0\x11\x18\x12A3CA5B').toString('base64');
    const { text } = noticeOf([failure(1, { phone: '+12025550143', messageId: `wamid.${encoded}` })]);
    expect(text).toContain('  wamid.•••NDMVAgARGBJBM0NBNUI=  •••0143  ');
  });

  it('a phone number that the service wrote into its word for a status', () => {
    for (const code of [undefined, errorCode]) {
      const { subject, text } = noticeOf([failure(1, { errorCode: code, status: 'held +1 202–555–0143' })]);
      expect(subject + text).not.toContain('555');
      expect(text).toContain('Status:    held +*** 1');
    }
  });

  it('extra lines that the service inserted', () => {
    const { text } = noticeOf([
      failure(1, { errorCode: 'a\nb', messageId: 'm\r\n1', errorText: 'x\u2028Everything\u0000 is\tfine\n' }),
    ]);
    expect(text).toContain('error a b.');
    expect(text).toContain('m 1');
    expect(text).toMatch(/Service: +x Everything is fine\n/);
  });

  it('characters that SNS rejects: any subject is printable ASCII and short, any text fits', () => {
    const words = fc.string({ unit: 'binary', maxLength: 1_000 });
    assertProperty(
      fc.property(fc.option(words, { nil: undefined }), words, words, (code, messageId, errorText) => {
        const { subject, text } = noticeOf(
          Array.from({ length: 6 }, (_, number) =>
            failure(number, { errorCode: code, messageId: number + messageId, errorText }),
          ),
        );
        expect(subject).toMatch(/^SMS: 6 messages failed, [\x20-\x7e]+$/);
        expect(subject.length).toBeLessThanOrEqual(maxSubjectLength);
        expect(Buffer.byteLength(text)).toBeLessThan(8_000);
      }),
    );
  });
});

const delivered = (
  number: number,
  rest: Parameters<typeof failure>[1] = {},
  receiptHandle = `r${number}`,
) => ({
  failure: failure(number, rest),
  receiptHandle,
});
const numbersOf = (groups: ReturnType<typeof groupFailures>) =>
  groups.map(({ failures }) => failures.map(({ messageId }) => messageId));

describe('failures are grouped', () => {
  it('by error code, or by status without one, the largest group first', () => {
    const groups = groupFailures([
      delivered(1, { status: 'rejected' }),
      delivered(2, { errorCode: '30008' }),
      delivered(3, { errorCode: '30008', status: 'failed' }),
      delivered(4, { status: 'expired' }),
      delivered(5, { errorCode: '30008' }),
      delivered(6, { status: 'rejected' }),
    ]);
    expect(groups.map(({ cause }) => cause)).toEqual([
      { source: 'main', kind: 'error-code', value: '30008' },
      { source: 'main', kind: 'status', value: 'rejected' },
      { source: 'main', kind: 'status', value: 'expired' },
    ]);
    expect(numbersOf(groups)).toEqual([['m5', 'm3', 'm2'], ['m6', 'm1'], ['m4']]);
  });

  it('without the phone number that a contract reads as an error code by mistake', () => {
    const groups = groupFailures([
      delivered(1, { errorCode: '+12025550143' }),
      delivered(2, { errorCode: '+12025550144' }),
    ]);
    expect(groups.map(({ cause, failures }) => [cause.value, failures.length])).toEqual([['+***', 2]]);
  });

  it('by messages: for one that failed again for the same cause the newest failure counts', () => {
    const again = { ...failure(9, { errorCode: 'a' }), messageId: 'm1' };
    const elsewhere = { ...failure(8, { errorCode: 'b' }), messageId: 'm1' };
    const groups = groupFailures([
      delivered(1, { errorCode: 'a' }),
      { failure: again, receiptHandle: 'r9' },
      delivered(2, { errorCode: 'a' }),
      { failure: elsewhere, receiptHandle: 'r8' },
    ]);
    expect(
      groups.map(({ cause, failures }) => [cause.value, failures.map(({ eventId }) => eventId)]),
    ).toEqual([
      ['a', [again.eventId, failure(2).eventId]],
      ['b', [elsewhere.eventId]],
    ]);
    expect(groups[0]?.receiptHandles).toEqual(['r1', 'r9', 'r2']);
  });

  it('in any number and order: each in one group, and every delivery is deleted', () => {
    const any = fc.array(
      fc.record({ number: fc.nat(30), code: fc.constantFrom(undefined, '1', '2', 'failed') }),
      { maxLength: 80 },
    );
    assertProperty(
      fc.property(any, fc.infiniteStream(fc.nat()), (items, order) => {
        // The code belongs to the fact: the same in each delivery.
        const codes = new Map(items.map(({ number, code }) => [number, code]));
        const all = items.map(({ number }, index): DeliveredFailure => {
          const errorCode = codes.get(number);
          return delivered(number, errorCode === undefined ? {} : { errorCode }, `r${index}`);
        });
        const shuffled = all
          .map((item) => ({ item, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ item }) => item);
        const groups = groupFailures(shuffled);
        const inGroups = groups.flatMap(({ failures }) => failures.map(({ eventId }) => eventId));
        expect([...inGroups].sort()).toEqual([...new Set(all.map((one) => one.failure.eventId))].sort());
        const receipts = groups.flatMap(({ receiptHandles }) => receiptHandles);
        expect([...receipts].sort()).toEqual(all.map(({ receiptHandle }) => receiptHandle).sort());
        expect(groups.length).toBe(new Set([...codes.values()]).size);
        for (const { cause, failures } of groups)
          for (const { errorCode, status } of failures) expect(errorCode ?? status).toBe(cause.value);
        const bySize = groups.map(({ failures }) => failures.length);
        expect(bySize).toEqual([...bySize].sort((a, b) => b - a));
      }),
    );
  });
});
