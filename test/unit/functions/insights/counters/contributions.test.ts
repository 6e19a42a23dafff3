import { describe, expect, it } from 'vitest';
import { foldMessages, staleReport } from '../../../../../functions/history/message.ts';
import {
  firstTime,
  messageContribution,
  replyContribution,
} from '../../../../../functions/insights/counters/contributions.ts';
import { timeName } from '../../../../../functions/insights/counters/count-names.ts';
import { bucketOf } from '../../../../../functions/insights/counters/delivery-times.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import { replied, report } from '../../../../support/suites/reports.ts';

const phone = '+12025550143';
const noon = Date.UTC(2026, 0, 15, 12);
const day = { kind: 'day', start: Date.UTC(2026, 0, 15), country: 'US', source: 'main' };

it('a test message of sms doctor counts nowhere', () => {
  const message = foldMessages([report('sms-doctor-1', 'e1', 'delivered', 1, { phone, sendId: 's' })]);
  expect(messageContribution(message)).toEqual({ tally: {}, cohorts: [] });
});

describe('a message counts', () => {
  it('for its source', () => {
    const { cohorts } = messageContribution(foldMessages([report('backup/m', 'e', 'sent', 0, { phone })]));
    expect(cohorts).toMatchObject([{ source: 'backup' }, { source: 'backup' }]);
  });

  it('by its current status, in its send and at the time of its earliest report', () => {
    const message = foldMessages([
      report('m', 'e2', 'delivered', 10, { phone, sendId: 'spring' }),
      report('m', 'e1', 'sent', -1, { phone }),
    ]);
    expect(messageContribution(message)).toEqual({
      tally: { delivered: 1, [timeName(bucketOf(11_000))]: 1 },
      cohorts: [
        { kind: 'send', sendId: 'spring' },
        { kind: 'quarter', start: noon - 900_000, country: 'US', source: 'main' },
        day,
      ],
    });
  });

  it('with its reason and the code of the service where it failed', () => {
    const failed = report('m', 'e', 'failed', 0, { errorReason: 'landline', errorCode: '30006' });
    expect(messageContribution(failed).tally).toEqual({ failed: 1, 'error#landline#30006': 1 });
    expect(messageContribution(report('m', 'e', 'expired', 0)).tally).toEqual({
      expired: 1,
      'error#unknown#': 1,
    });
  });

  it.each([
    '12025550143',
    '202-555-0143',
    '202.555.0143',
    '555_0143',
    '5a5b5c0d1e43',
    'x'.repeat(13),
    'with space',
    'naïve',
  ])('under another code where the code could be personal or is no short word: %s', (errorCode) => {
    expect(messageContribution(report('m', 'e', 'failed', 0, { errorCode })).tally).toEqual({
      failed: 1,
      'error#unknown#*': 1,
    });
  });

  it('as other with a status that the contract does not list', () => {
    const odd = report('m', 'e', 'sent', 0, { status: 'on-its-way', rank: 0 });
    expect(messageContribution(odd).tally).toEqual({ other: 1 });
  });

  it('its parts, and its price in millionths of the currency, also where another report has them', () => {
    const sent = report('m', 'e1', 'sent', 0, { price: '0.0158', currency: 'USD', segments: 2 });
    const message = foldMessages([sent, report('m', 'e2', 'failed', 1, { errorReason: 'landline' })]);
    expect(messageContribution(message).tally).toEqual({
      failed: 1,
      'error#landline#': 1,
      segments: 2,
      'priced#USD': 1,
      'spend#USD': 15_800,
    });
    const free = report('m', 'e', 'sent', 0, { price: '0', currency: 'EUR' });
    expect(messageContribution(free).tally).toEqual({ sent: 1, 'priced#EUR': 1 });
  });

  it('in no histogram without a report before its delivery, and with zero where both reports have one time', () => {
    const delivered = report('m', 'e1', 'delivered', 0);
    expect(messageContribution(delivered).tally).toEqual({ delivered: 1 });
    const twice = foldMessages([delivered, report('m', 'e2', 'delivered', 60)]);
    expect(messageContribution(twice).tally).toEqual({ delivered: 1 });
    const read = foldMessages([delivered, report('m', 'e2', 'read', 60)]);
    expect(messageContribution(read).tally).toEqual({ read: 1 });
    const both = foldMessages([delivered, report('m', 'e2', 'sent', 0)]);
    expect(messageContribution(both).tally).toEqual({ delivered: 1, 'deliveredWithin#0': 1 });
  });
});

describe('a message that only lookups know', () => {
  it('counts at the time of the latest state that was looked up, also when it is marked as stale', () => {
    const lookup = { origin: 'lookup' } as const;
    const known = foldMessages([
      report('m', 'lookup:accepted', 'accepted', -7200, lookup),
      report('m', 'lookup:sent', 'sent', 0, lookup),
    ]);
    const mark = staleReport(known, 72, noon + 4 * 86_400_000);
    const stale = { ...known, events: new Map([...known.events, [mark.eventId, mark]]) };
    for (const message of [known, stale]) expect(firstTime(message)).toBe(noon);
  });
});

describe('a reply counts', () => {
  it('at its own time and in the country of its sender', () => {
    const reply = replied('r', 'e', 5, { from: phone, text: 'thanks', messageId: 'm' });
    expect(replyContribution(reply, keywordOf)).toEqual({
      tally: { replies: 1 },
      cohorts: [{ kind: 'quarter', start: noon, country: 'US', source: 'main' }, day],
    });
  });

  it('as an opt-out where it is a keyword of stop', () => {
    const reply = replied('r', 'e', 5, { from: phone, text: 'Stop!' });
    expect(replyContribution(reply, keywordOf).tally).toEqual({ replies: 1, optOuts: 1 });
  });
});
