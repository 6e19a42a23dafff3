import { describe, expect, it } from 'vitest';
import { detailTypes } from '../../../../events/event-types.ts';
import type { Found } from '../../../../tools/engine/found.ts';
import { type Evidence, judge, type Promises, reportEventId } from '../../../../tools/engine/judge.ts';
import { Ledger } from '../../../../tools/engine/ledger.ts';
import { Published } from '../../../../tools/engine/published.ts';
import type { PublishedEvent } from '../../../../tools/support/local-bus.ts';

const at = '2026-01-15T12:00:02.000Z';
const number = '+12125550100';
const recipient = '+12025550143';
const card = '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a01';
const sent = { messageId: 'c0-1', eventId: 'e1', status: 'sent', second: 1 };
const ended = { messageId: 'c0-1', eventId: 'e2', status: 'delivered', second: 2 };
/** Sent by the service, which chose its id. */
const byService = { messageId: 'c6-8', status: 'queued', second: 0 };
const forged = { messageId: 'c2-3', status: 'delivered', second: 2 };

function ledgerOf(answers: Readonly<Record<string, number | 'timeout'>> = {}): Ledger {
  const ledger = new Ledger();
  for (const report of [sent, ended, byService])
    ledger.answered(ledger.sent(report), answers[report.status] ?? 200);
  ledger.answered(ledger.sent(forged, { isForged: true }), answers.forged ?? 200);
  ledger.replies.set('c1-2', { number, isStop: true });
  ledger.unreadable.add('c2-4');
  ledger.strayItems.add('c3-5');
  ledger.noEvents.add('c4-6');
  ledger.cards.set(card, 'c5-7');
  return ledger;
}

const event = (type: string, eventId: string, detail: object): PublishedEvent => ({
  source: 'sms.pipeline',
  'detail-type': type,
  detail: { version: 1, eventId, occurredAt: at, receivedAt: at, ...detail },
});
const reported = (reportId: string, status: string, eventId = reportEventId('c0-1', reportId)) =>
  event(detailTypes.deliveryEvent, eventId, {
    messageId: 'c0-1',
    historyEventId: reportId,
    status,
    phone: recipient,
  });
const idOf = (digit: number) => String(digit).repeat(32);
const changed = (digit: number, messageId: string, status: string, reportId: string) =>
  event(detailTypes.statusChanged, idOf(digit), {
    messageId,
    historyEventId: reportId,
    status,
    phone: recipient,
    conflict: false,
    reportCount: 1,
    ...(status === 'delivered' ? { outcome: 'success', final: true } : { outcome: 'open', final: false }),
  });
const change = changed(3, 'c0-1', 'delivered', 'e2');
const replied = (digit: number, replyId: string) =>
  event(detailTypes.replyReceived, idOf(digit), {
    historyEventId: 'r1',
    replyId,
    from: number,
    text: 'STOP',
    isTextCut: false,
    keyword: 'stop',
    mayMeanStop: false,
  });
const reply = replied(4, 'c1-2');
const optOut = event(detailTypes.optOut, idOf(5), { phone: number, by: 'person', replyId: 'c1-2' });
const expired = event(detailTypes.cardExpiring, idOf(6), { state: 'expired', cardId: card });
const firstReport = reported('e1', 'sent');
const published = [
  firstReport,
  reported('e2', 'delivered'),
  change,
  reply,
  optOut,
  expired,
  event(detailTypes.deliveryEvent, reportEventId('c6-8', 's1'), {
    messageId: 'c6-8',
    historyEventId: 's1',
    status: 'queued',
    phone: recipient,
  }),
  changed(7, 'c6-8', 'queued', 's1'),
];

const message = (status: string, count: number, ...reports: [string, string][]) => ({
  status,
  count,
  reports: new Map(reports),
});
const whole = message('delivered', 2, ['e1', 'sent'], ['e2', 'delivered']);
const fromService = message('queued', 1, ['s1', 'queued']);
const found: Found = {
  history: new Map([
    ['c0-1', whole],
    ['c6-8', fromService],
    ['c3-5', message('', Number.NaN)],
  ]),
  replies: new Map([['c1-2', 1]]),
  optedOut: new Set([number]),
  quarantine: new Map([
    ['c2-3', ['signature-mismatch']],
    ['c2-4', ['not-an-event']],
  ]),
  unpublished: ['message#c3-5'],
  givenUp: ['c4-6'],
};

function evidence(changes: Partial<Evidence> = {}, events: readonly PublishedEvent[] = published): Evidence {
  const read = new Published();
  for (const one of events) read.record(one, 0);
  return { found, published: read, contacts: new Set([number]), waiting: new Map(), leaks: [], ...changes };
}
const but = (changes: Partial<Found>) => evidence({ found: { ...found, ...changes } });
const history = (id: string, changed: typeof whole | undefined) => {
  const others = [...found.history].filter(([one]) => one !== id);
  return but({ history: new Map(changed === undefined ? others : [...others, [id, changed]]) });
};
const quarantine = (id: string, ...reasons: string[]) =>
  but({ quarantine: new Map([...found.quarantine, [id, reasons]]) });
const without = (left: PublishedEvent) =>
  evidence(
    {},
    published.filter((one) => one !== left),
  );
const altered = (event: PublishedEvent, changes: object) => {
  const other = { ...event, detail: { ...event.detail, ...changes } };
  return evidence(
    {},
    published.map((one) => (one === event ? other : one)),
  );
};
const withMore = (...more: PublishedEvent[]) => evidence({}, [...published, ...more]);

const promises: Promises = { published: 'reports and changes' };
const verdict = (given: Evidence, ledger = ledgerOf(), more: Partial<Promises> = {}) =>
  judge(ledger, given, { ...promises, ...more });

describe('the judge finds nothing broken', () => {
  it.each<[string, Evidence]>([
    ['where all that was acknowledged is stored and published', evidence()],
    ['where an event is published again with the same content', withMore(structuredClone(change))],
    ['where a superseded status is published too', withMore(changed(8, 'c0-1', 'sent', 'e1'))],
  ])('%s', (_, given) => {
    expect(verdict(given)).toEqual([]);
  });

  it('where the event that the delivery watch had to publish is on the bus, and only then', () => {
    const ledger = ledgerOf();
    ledger.degradations.set(idOf(9), 'c9-9');
    const degraded = event(detailTypes.deliveryDegraded, idOf(9), {});
    expect(verdict(withMore(degraded), ledger)).toEqual([]);
    expect(verdict(evidence(), ledger)).toEqual([
      { cell: 'c9', what: `${idOf(9)} is not published as SMS Delivery Degraded` },
    ]);
  });

  it('where a report without an answer is stored, or is not', () => {
    const ledger = ledgerOf({ queued: 'timeout' });
    expect(verdict(evidence(), ledger)).toEqual([]);
    const others = published.filter(({ detail }) => detail.messageId !== 'c6-8');
    expect(verdict(evidence({ found: history('c6-8', undefined).found }, others), ledger)).toEqual([]);
  });

  it('where a rejected report is nowhere, and may be rejected', () => {
    const others = published.filter(({ detail }) => detail.messageId !== 'c6-8');
    const given = evidence({ found: history('c6-8', undefined).found }, others);
    expect(verdict(given, ledgerOf({ queued: 401 }), { mayReject: () => true })).toEqual([]);
  });

  it('where a forged request is rejected, or has no answer, and is not in quarantine', () => {
    const given = but({ quarantine: new Map([['c2-4', ['not-an-event']]]) });
    expect(verdict(given, ledgerOf({ forged: 401 }))).toEqual([]);
    expect(verdict(given, ledgerOf({ forged: 'timeout' }))).toEqual([]);
    expect(verdict(evidence(), ledgerOf({ forged: 503 }))).toEqual([]);
  });
});

describe('the judge finds a broken promise', () => {
  it.each<[string, string | undefined, Evidence]>([
    ['a report is lost', 'c0', history('c0-1', message('delivered', 1, ['e2', 'delivered']))],
    ['a message is lost', 'c0', history('c0-1', undefined)],
    ['a message of the service is lost', 'c6', history('c6-8', undefined)],
    [
      'a report of the service is stored twice',
      'c6',
      history('c6-8', message('queued', 2, ['s1', 'queued'], ['s2', 'queued'])),
    ],
    [
      'a message has a report that was not sent',
      'c0',
      history('c0-1', message('delivered', 3, ...whole.reports, ['e3', 'sent'])),
    ],
    [
      'a report has another status',
      'c0',
      history('c0-1', message('delivered', 2, ['e1', 'queued'], ['e2', 'delivered'])),
    ],
    ['another state has won', 'c0', history('c0-1', { ...whole, status: 'sent' })],
    ['a message counts another number of reports', 'c0', history('c0-1', { ...whole, count: 3 })],
    ['a message was never sent', 'c9', history('c9-1', fromService)],
    ['a forged one is in history', 'c2', history('c2-3', fromService)],
    ['a parked forged one is nowhere', 'c2', quarantine('c2-3')],
    [
      'a forged one is twice in quarantine',
      'c2',
      quarantine('c2-3', 'signature-mismatch', 'signature-mismatch'),
    ],
    ['a forged one is in quarantine for another reason', 'c2', quarantine('c2-3', 'not-an-envelope')],
    ['an unreadable one is twice in quarantine', 'c2', quarantine('c2-4', 'not-an-event', 'not-an-event')],
    ['an acknowledged one is in quarantine', 'c0', quarantine('c0-1', 'signature-mismatch')],
    ['quarantine holds a stranger', '{}', quarantine('{}', 'not-an-event')],
    ['a reply is lost', 'c1', but({ replies: new Map() })],
    ['a reply is stored in two versions', 'c1', but({ replies: new Map([['c1-2', 2]]) })],
    ['a reply was never sent', 'c9', but({ replies: new Map([...found.replies, ['c9-9', 1]]) })],
    ['an opt-out is not in the register', 'c1', but({ optedOut: new Set() })],
    [
      'a number in the register said nothing',
      undefined,
      but({ optedOut: new Set([number, '+12125550101']) }),
    ],
    ['an opt-out has come to no contact', 'c1', evidence({ contacts: new Set() })],
    ['what cannot be published is not set aside', 'c3', but({ unpublished: [] })],
    ['something else could not be published', 'c0', but({ unpublished: ['message#c3-5', 'message#c0-1'] })],
    ['what was to be given up is not', 'c4', but({ givenUp: [] })],
    ['something else was given up', undefined, but({ givenUp: ['c4-6', 'an event'] })],
    ['a queue is not empty', undefined, evidence({ waiting: new Map([['Events', 1]]) })],
    ['a log shows a secret', undefined, evidence({ leaks: ['ingest.log'] })],
    ['a report is not published', 'c0', without(firstReport)],
    [
      'a report is published under another id',
      'c0',
      evidence({}, [...published.slice(1), reported('e1', 'sent', idOf(9))]),
    ],
    ['a report is published under two ids', 'c0', withMore(reported('e1', 'sent', idOf(9)))],
    ['a report is published that is not in history', 'c0', withMore(reported('e3', 'sent'))],
    ['a report is published as another status', 'c0', altered(firstReport, { status: 'failed' })],
    ['a report is published for another number', 'c0', altered(firstReport, { phone: number })],
    ['the end is not published', 'c0', without(change)],
    ['the end is published under two ids', 'c0', withMore(changed(8, 'c0-1', 'delivered', 'e2'))],
    ['the end is published from a report not stored', 'c0', altered(change, { historyEventId: 'e9' })],
    ['the end is published from an earlier report', 'c0', altered(change, { historyEventId: 'e1' })],
    ['the end is published as a failure', 'c0', altered(change, { outcome: 'failure' })],
    ['the end is published as not final', 'c0', altered(change, { final: false })],
    [
      'a superseded status is published under two ids',
      'c0',
      withMore(changed(7, 'c0-1', 'sent', 'e1'), changed(8, 'c0-1', 'sent', 'e1')),
    ],
    ['a status is published that was not reported', 'c0', withMore(changed(8, 'c0-1', 'failed', 'e2'))],
    [
      'an event is repeated in other words',
      undefined,
      withMore({ ...change, detail: { ...change.detail, conflict: true } }),
    ],
    ['a forged one is published', 'c2', withMore(changed(8, 'c2-3', 'delivered', 'e2'))],
    ['a message is published that was never sent', 'c9', withMore(changed(8, 'c9-1', 'sent', 'e1'))],
    ['a reply is not published', 'c1', without(reply)],
    ['a reply is published from another number', 'c1', altered(reply, { from: recipient })],
    ['an opt-out is not published', 'c1', without(optOut)],
    ['an opt-out is published of another number', 'c1', altered(optOut, { phone: recipient })],
    ['a reply is published that was never sent', 'c9', withMore(replied(8, 'c9-1'))],
    ['an event of another kind is published', idOf(8), withMore(event(detailTypes.optIn, idOf(8), {}))],
    ['a card is not published', 'c5', without(expired)],
    ['an expired card is published as expiring', 'c5', altered(expired, { state: 'expiring' })],
  ])('where %s', (_, cell, given) => {
    expect(verdict(given).map((one) => one.cell)).toContain(cell);
  });

  it('where a genuine report is rejected, and where it is in history all the same', () => {
    const broken = verdict(evidence(), ledgerOf({ queued: 401 })).map(({ what }) => what);
    expect(broken).toContain('c6-8 is genuine and was answered with 401');
    expect(broken).toContain('c6-8 was rejected as queued and is in history');
  });

  it('where a genuine report is forbidden, whatever may be rejected', () => {
    const given = history('c6-8', undefined);
    const broken = verdict(given, ledgerOf({ queued: 403 }), { mayReject: () => true });
    expect(broken.map(({ what }) => what)).toContain('c6-8 is genuine and was answered with 403');
  });

  it('where a forged request is rejected with anything but 401, or in quarantine after that', () => {
    const broken = verdict(evidence(), ledgerOf({ forged: 403 })).map(({ what }) => what);
    expect(broken).toEqual([
      'c2-3 is forged, and was answered with 403',
      'c2-3 is forged, answered with 403, and 1 times in quarantine',
    ]);
  });

  it('where reports are published and only changes are to be', () => {
    const broken = verdict(evidence(), ledgerOf(), { published: 'changes' });
    expect(broken).toHaveLength(3);
  });
});
