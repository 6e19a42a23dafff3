import { describe, expect, it } from 'vitest';
import type {
  BadSend,
  SubjectChange,
} from '../../../../../functions/automations/delivery-watch/rules/watch-quarter.ts';
import { sendEvent, watchEvent } from '../../../../../functions/automations/delivery-watch/watch-events.ts';
import { detailSchemas } from '../../../../../functions/publish/bus/details.ts';

const since = Date.parse('2026-11-23T10:00:00Z');
const now = since + 1_200_000;

const slow: SubjectChange = {
  kind: 'degraded',
  subject: { kind: 'country', country: 'DE' },
  since,
  findings: [
    {
      signal: 'time-to-delivery',
      figure: 12_345.678,
      usual: 6000.2,
      score: 9,
      distance: 0.4,
      chance: 0.05,
      messages: 400,
      quarter: since,
      comparedWith: 'weeks',
      quarters: 36,
    },
  ],
};

it('an incident has one id for its beginning and one for its end, whenever they are made', () => {
  const idOf = (change: SubjectChange, at: number) => watchEvent(change, [], at).detail.eventId;
  const over = { ...slow, kind: 'recovered' } as const;
  expect(idOf(slow, now)).toBe(idOf(slow, now + 1));
  const spam = { ...slow, subject: { kind: 'reason', reason: 'spam' } } as const;
  const later = { ...slow, since: since + 900_000 };
  expect(new Set([slow, over, spam, later].map((change) => idOf(change, now))).size).toBe(4);
});

it.each([
  [slow.subject, { subject: 'country', country: 'DE' }],
  [
    { kind: 'reason', reason: 'spam' },
    { subject: 'reason', errorReason: 'spam' },
  ],
  [{ kind: 'all' }, { subject: 'all' }],
] as const)('an event about %o fits its schema', (subject, expected) => {
  const { detailType, detail } = watchEvent({ ...slow, subject }, [{ messageId: 'm-1' }], now);
  expect(detailSchemas[detailType].parse(detail)).toMatchObject(expected);
});

describe('an event about a source', () => {
  const [ofTime] = slow.findings;
  const backup: SubjectChange = {
    ...slow,
    subject: { kind: 'source', source: 'backup' },
    findings: slow.findings.map((finding) => ({
      ...finding,
      signal: 'slow-share' as const,
      figure: 0.312_345,
      usual: 0.05,
      comparedWith: 'limit' as const,
      quarters: 0,
    })),
    otherSources: [
      {
        source: 'main',
        messages: 390,
        deliveryRate: 0.951_28,
        slowShare: undefined,
        medianDeliveryMs: 5012.4,
      },
    ],
  };

  it('names the source, also main, with its figures and those of the others', () => {
    const { detailType, detail } = watchEvent(backup, [{ messageId: 'backup/m-1' }], now);
    expect(detailType).toBe('SMS Provider Degraded');
    expect(detailSchemas[detailType].parse(detail)).toEqual(detail);
    expect(detail).toMatchObject({
      source: 'backup',
      otherSources: [{ source: 'main', messages: 390, deliveryRate: 0.9513, medianDeliveryMs: 5012 }],
      examples: [{ source: 'backup', messageId: 'm-1' }],
    });
    const main = { ...backup, subject: { kind: 'source', source: 'main' } } as const;
    expect(watchEvent(main, [], now).detail).toMatchObject({ source: 'main' });
  });

  it('has the limit of slow messages, and what is usual only if it is known', () => {
    const figuresOf = (quarters: number) =>
      watchEvent(
        { ...backup, findings: backup.findings.map((finding) => ({ ...finding, quarters })) },
        [],
        now,
      ).detail.figures;
    expect(figuresOf(0)).toEqual([
      {
        signal: 'slow-share',
        value: 0.3123,
        limit: 0.15,
        messages: 400,
        from: '2026-11-23T10:00:00.000Z',
        until: '2026-11-23T10:15:00.000Z',
        comparedWith: 'limit',
        quarterHours: 0,
      },
    ]);
    expect(figuresOf(36)).toMatchObject([{ usual: 0.05, quarterHours: 36 }]);
    expect(
      watchEvent({ ...slow, findings: ofTime ? [ofTime] : [] }, [], now).detail.figures,
    ).not.toHaveProperty('0.limit');
  });

  it('has ids of its own, and one of a recovery without figures fits its schema', () => {
    const over: SubjectChange = { kind: 'recovered', subject: backup.subject, since, findings: [] };
    const { detailType, detail } = watchEvent(over, [], now);
    expect(detailType).toBe('SMS Provider Recovered');
    expect(detailSchemas[detailType].parse(detail)).toMatchObject({ figures: [], otherSources: [] });
    const all = [backup, over, slow, { ...slow, subject: { kind: 'country', country: 'backup' } } as const];
    expect(new Set(all.map((change) => watchEvent(change, [], now).detail.eventId)).size).toBe(4);
  });
});

it('times are whole milliseconds, shares have four digits', () => {
  expect(watchEvent(slow, [], now).detail.figures).toMatchObject([{ value: 12_346, usual: 6000 }]);
  const findings = slow.findings.map((finding) => ({
    ...finding,
    signal: 'delivery-rate' as const,
    figure: 0.123_456,
  }));
  expect(watchEvent({ ...slow, findings }, [], now).detail.figures).toMatchObject([{ value: 0.1235 }]);
});

it('the event of a send names the send, and has one id', () => {
  const bad: BadSend = {
    sendId: 'spring',
    subject: { kind: 'country', country: 'DE' },
    since,
    findings: slow.findings,
  };
  const { detailType, detail } = sendEvent(bad, [{ messageId: 'm-1', sendId: 'spring' }], now);
  expect(detailSchemas[detailType].parse(detail)).toEqual(detail);
  expect(detail).toMatchObject({ subject: 'send', sendId: 'spring', figures: [{ messages: 400 }] });
  expect(detail).not.toHaveProperty('country');
  expect(sendEvent(bad, [], now + 1).detail.eventId).toBe(detail.eventId);
  expect(sendEvent({ ...bad, sendId: 'summer' }, [], now).detail.eventId).not.toBe(detail.eventId);
});
