import { describe, expect, it } from 'vitest';
import { detailTypes } from '../../../../../functions/bus/event-types.ts';
import type { Found } from '../../../../../tools/faults/judge/found.ts';
import { type Evidence, judge } from '../../../../../tools/faults/judge/judge.ts';
import { Ledger } from '../../../../../tools/faults/judge/ledger.ts';
import type { PublishedEvent } from '../../../../../tools/support/local-bus.ts';

const at = '2026-01-15T12:00:02.000Z';
const number = '+12125550100';
const card = '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a01';

function ledgerOfEverything(): Ledger {
  const ledger = new Ledger();
  ledger.acknowledged('c0.1', 'sent');
  ledger.acknowledged('c0.1', 'delivered');
  ledger.stops.set('c1.2', number);
  ledger.forged.add('c2.3');
  ledger.unreadable.add('c2.4');
  ledger.strayItems.add('c3.5');
  ledger.noEvents.add('c4.6');
  ledger.cards.set(card, 'c5.7');
  return ledger;
}

const found: Found = {
  history: new Map([
    [
      'c0.1',
      {
        status: 'delivered',
        reports: new Map([
          ['e1', 'sent'],
          ['e2', 'delivered'],
        ]),
      },
    ],
  ]),
  replies: new Set(['c1.2']),
  optedOut: new Set([number]),
  quarantine: ['{"id":"c2.3"}', '{"word":"c2.4"}'],
  unpublished: ['message#c3.5'],
  givenUp: ['c4.6'],
  waiting: {},
};

const eventId = (digit: number) => String(digit).repeat(32);

function event(detailType: string, digit: number, detail: object): PublishedEvent {
  return {
    source: 'sms.pipeline',
    'detail-type': detailType,
    detail: { version: 1, eventId: eventId(digit), ...detail },
  };
}

const report = (digit: number, historyEventId: string, status: string) =>
  event(detailTypes.deliveryEvent, digit, {
    messageId: 'c0.1',
    historyEventId,
    status,
    occurredAt: at,
    receivedAt: at,
  });
const changed = (digit: number, messageId: string, status: string) =>
  event(detailTypes.statusChanged, digit, {
    ...{ messageId, historyEventId: `of ${status}`, status, final: status === 'delivered' },
    ...{ outcome: 'success', conflict: false, occurredAt: at, receivedAt: at },
  });
const delivered = changed(3, 'c0.1', 'delivered');
const reply = event(detailTypes.replyReceived, 4, {
  ...{ historyEventId: 'r1', replyId: 'c1.2', from: number, text: 'STOP', isTextCut: false },
  ...{ keyword: 'stop', mayMeanStop: false, occurredAt: at, receivedAt: at },
});
const optOut = event(detailTypes.optOut, 5, { phone: number, replyId: 'c1.2', occurredAt: at });
const expired = event(detailTypes.cardExpiring, 6, { state: 'expired', cardId: card });
const published = [report(1, 'e1', 'sent'), report(2, 'e2', 'delivered'), delivered, reply, optOut, expired];

const good: Evidence = { found, published, contacts: new Set([number]) };

/** The same but for what was found. */
const but = (changed: Partial<Found>): Evidence => ({ ...good, found: { ...found, ...changed } });
const without = (left: PublishedEvent): Evidence => ({
  ...good,
  published: published.filter((one) => one !== left),
});
const withMore = (more: PublishedEvent): Evidence => ({ ...good, published: [...published, more] });
const message = (status: string, ...reports: [string, string][]) =>
  new Map([['c0.1', { status, reports: new Map(reports) }]]);

describe('the judged history', () => {
  it('contains all acknowledged events', () => {
    expect(judge(ledgerOfEverything(), good)).toEqual([]);
  });

  it('may be published again with the same content', () => {
    expect(judge(ledgerOfEverything(), withMore(structuredClone(delivered)))).toEqual([]);
  });

  it('need not have published a status that another one superseded', () => {
    expect(judge(ledgerOfEverything(), withMore(changed(8, 'c0.1', 'sent')))).toEqual([]);
  });

  it.each<[string, string | undefined, Evidence]>([
    ['a report is lost', 'c0', but({ history: message('delivered', ['e2', 'delivered']) })],
    ['a message is lost', 'c0', but({ history: new Map() })],
    [
      'a report is stored twice',
      'c0',
      but({ history: message('delivered', ['e1', 'sent'], ['e2', 'delivered'], ['e3', 'sent']) }),
    ],
    ['another state has won', 'c0', but({ history: message('sent', ['e1', 'sent'], ['e2', 'delivered']) })],
    [
      'a message was never acknowledged',
      'c9',
      but({ history: new Map([...found.history, ['c9.1', { status: 'sent', reports: new Map() }]]) }),
    ],
    [
      'a forged one is in history',
      'c2',
      but({ history: new Map([...found.history, ['c2.3', { status: 'sent', reports: new Map() }]]) }),
    ],
    ['a reply is lost', 'c1', but({ replies: new Set() })],
    ['a reply was never acknowledged', 'c9', but({ replies: new Set(['c1.2', 'c9.9']) })],
    ['quarantine lacks the forged one', 'c2', but({ quarantine: ['{"word":"c2.4"}', '{}'] })],
    ['quarantine holds one twice', 'c2', but({ quarantine: [...found.quarantine, '{"word":"c2.4"}'] })],
    ['quarantine holds a stranger', undefined, but({ quarantine: [...found.quarantine, '{}'] })],
    ['what cannot be published is not set aside', 'c3', but({ unpublished: [] })],
    ['something else could not be published', 'c0', but({ unpublished: ['message#c3.5', 'message#c0.1'] })],
    ['what was to be given up is not', 'c4', but({ givenUp: [] })],
    ['something else was given up', undefined, but({ givenUp: ['c4.6', 'an event'] })],
    ['a queue is not empty', undefined, but({ waiting: { Events: 1 } })],
    ['a report is not published', 'c0', without(published[0] ?? delivered)],
    ['a report is published under two ids', 'c0', withMore(report(7, 'e1', 'sent'))],
    ['the end is not published', 'c0', without(delivered)],
    [
      'the end is published under two ids',
      'c0',
      withMore({ ...delivered, detail: { ...delivered.detail, eventId: eventId(7) } }),
    ],
    [
      'an event comes again in other words',
      undefined,
      withMore({ ...delivered, detail: { ...delivered.detail, conflict: true } }),
    ],
    [
      'an intermediate status is published under two ids',
      'c0',
      { ...good, published: [...published, changed(7, 'c0.1', 'sent'), changed(8, 'c0.1', 'sent')] },
    ],
    ['a status is published that was not reported', 'c0', withMore(changed(7, 'c0.1', 'failed'))],
    ['a forged one is published', 'c2', withMore(changed(7, 'c2.3', 'delivered'))],
    ['a message is published that was never acknowledged', 'c9', withMore(changed(7, 'c9.1', 'sent'))],
    ['a report is published that is not in history', 'c0', withMore(report(7, 'e3', 'sent'))],
    ['a reply is not published', 'c1', without(reply)],
    ['an opt-out is not published', 'c1', without(optOut)],
    [
      'a reply is published that was never acknowledged',
      'c9',
      withMore({ ...reply, detail: { ...reply.detail, replyId: 'c9.1', eventId: eventId(7) } }),
    ],
    ['an opt-out is not in the register', 'c1', but({ optedOut: new Set() })],
    [
      'a number is in the register that said nothing',
      undefined,
      but({ optedOut: new Set([number, '+12125550101']) }),
    ],
    [
      'an event of another kind is published',
      eventId(7),
      withMore(event(detailTypes.optIn, 7, { phone: number, replyId: 'c1.2', occurredAt: at })),
    ],
    ['an opt-out has come to no contact', 'c1', { ...good, contacts: new Set() }],
    ['a card is not published', 'c5', without(expired)],
  ])('%s', (_, cell, evidence) => {
    const broken = judge(ledgerOfEverything(), evidence);
    expect(broken.map((one) => one.cell)).toContain(cell);
  });
});

it('the ledger counts the expected outcomes of each cell', () => {
  const ledger = ledgerOfEverything();
  expect(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((cell) => ledger.count(cell))).toEqual([
    2, 1, 2, 1, 1, 1, 0,
  ]);
});
