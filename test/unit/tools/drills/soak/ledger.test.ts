import { expect, it } from 'vitest';
import { detailTypes } from '../../../../../functions/bus/event-types.ts';
import { Ledger } from '../../../../../tools/drills/soak/ledger.ts';
import { reportAt } from '../../../../../tools/drills/soak/send-load.ts';
import { factsOf } from '../../../../../tools/drills/volume/reports.ts';

const occurredAt = '2026-01-15T12:00:00.000Z';
const head = { version: 1, occurredAt, receivedAt: occurredAt };

// The three reports of one message, at 1 report a second: 0, 3 and 8 seconds after the first.
const reports = Array.from({ length: 30 }, (_, index) => reportAt(index, 1, 'test')).filter(
  ({ messageId }) => messageId === 'test-3',
);
const ids = reports.map(({ eventId }) => eventId);
const history = new Map([['test-3', `delivered 3 ${ids.join(' ')}`]]);
const facts = factsOf(reports);
const publishedEvent = ({ messageId, eventId, status }: (typeof reports)[number]) => ({
  'detail-type': detailTypes.deliveryEvent,
  source: 'sms.pipeline',
  detail: {
    ...head,
    eventId: facts.get(`${messageId} ${eventId}`) ?? '',
    messageId,
    status,
    historyEventId: eventId,
  },
});
const ended = {
  'detail-type': detailTypes.statusChanged,
  source: 'sms.pipeline',
  detail: {
    ...head,
    ...{ eventId: 'a'.repeat(32), messageId: 'test-3', historyEventId: ids[2], status: 'delivered' },
    ...{ final: true, outcome: 'success', conflict: false },
  },
};

function acknowledged(): Ledger {
  const ledger = new Ledger();
  for (const report of reports) {
    ledger.post(report, 1000);
    ledger.answer(report, 200);
  }
  return ledger;
}

function whole(): Ledger {
  const ledger = acknowledged();
  for (const report of reports) ledger.recordPublished(publishedEvent(report));
  ledger.recordPublished(ended);
  return ledger;
}

it('the ledger finds no problem if each report is stored and published once', () => {
  const ledger = whole();
  expect(reports).toHaveLength(3);
  expect(ledger.broken(history)).toEqual([]);
  expect(ledger.isComplete()).toBe(true);
  expect(ledger).toMatchObject({ posted: 3, acknowledged: 3, published: 3 });
});

it('the ledger reports acknowledged events that are not stored, and stored events that are not published', () => {
  const ledger = acknowledged();
  expect(ledger.isComplete()).toBe(false);
  const [first, second] = reports;
  if (first) ledger.recordPublished(publishedEvent(first));
  if (second) ledger.recordPublished(publishedEvent(second));
  expect(ledger.broken(new Map([['test-3', `sent 2 ${ids.slice(0, 2).join(' ')}`]]))).toEqual([
    'test-3-2 was acknowledged and is not stored',
    'test-3-2 was acknowledged and is not on the bus',
    'test-3 was delivered, and no status change says so',
  ]);
});

it('the ledger reports repeats, a wrong state and events that were never sent', () => {
  const ledger = whole();
  const [first] = reports;
  if (first) ledger.recordPublished(publishedEvent(first));
  ledger.recordPublished(ended);
  const wrong = new Map([
    ['test-3', `sent 4 ${ids.join(' ')}`],
    ['test-9', 'queued 1 test-9-0'],
  ]);
  expect(ledger.broken(wrong)).toEqual([
    'test-9-0 is stored and was not sent',
    'test-3 is sent, not delivered',
    'test-3 counts 4 reports and has 3',
    'test-3-0 is on the bus 2 times',
    `the status change ${'a'.repeat(32)} is on the bus 2 times`,
  ]);
});

it('the ledger accepts unacknowledged events, stored or not', () => {
  for (const stored of [history, new Map<string, string>()]) {
    const ledger = new Ledger();
    for (const report of reports) {
      ledger.post(report, 1000);
      ledger.answer(report, 503);
    }
    expect(ledger.broken(stored)).toEqual([]);
    expect(ledger.otherAnswers).toEqual(new Map([[503, 3]]));
  }
});
