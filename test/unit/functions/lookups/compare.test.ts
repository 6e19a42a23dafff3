import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOfSample, sampleReceivedAt } from '../../../../contract/document/parse.ts';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { createLookupReader } from '../../../../contract/lookups/lookup-answer.ts';
import { canonicalStatuses, rankOf, type StatusEvent } from '../../../../contract/schema/sms-event.ts';
import { deliveryTime } from '../../../../functions/history/delivery-time.ts';
import {
  costAndRouteOf,
  decidingEntry,
  hasConflict,
  type Message,
  mergeMessages,
  messageOf,
} from '../../../../functions/history/message.ts';
import { messageContribution } from '../../../../functions/insights/counters/contributions.ts';
import { compare } from '../../../../functions/lookups/compare.ts';
import { presetContracts } from '../../../support/preset-contracts.ts';
import { assertProperty } from '../../../support/property.ts';
import { at } from '../../../support/suites/reports.ts';

const now = at(3600);

/** What arrives about one message: a report of the webhook, or the answer of a lookup. */
type Arrival = StatusEvent;

const lookup = (status: StatusEvent['status'], second: number, more: Partial<StatusEvent> = {}): Arrival => ({
  kind: 'sms.status',
  eventId: `lookup:${status}${more.errorCode === undefined ? '' : `:${more.errorCode}`}`,
  messageId: 'm',
  status,
  rank: rankOf(canonicalStatuses.find((one) => one === status) ?? 'accepted'),
  occurredAt: at(second),
  origin: 'lookup',
  ...more,
});

const webhook = (
  eventId: string,
  status: StatusEvent['status'],
  second: number,
  more: Partial<StatusEvent> = {},
): Arrival => {
  const { origin: _, ...event } = lookup(status, second, more);
  return { ...event, eventId };
};

/** Stores arrivals one after another, as the worker and the lookups do. An answer is received a minute after the answer before it. */
function stored(arrivals: readonly Arrival[]): Message | undefined {
  let answers = 0;
  return arrivals.reduce<Message | undefined>((before, arrival) => {
    if (arrival.origin === 'lookup') answers += 1;
    const receivedAt = arrival.origin === 'lookup' ? at(3600 + answers * 60) : now;
    if (arrival.origin === 'lookup' && compare(arrival, before, receivedAt) === 'known') return before;
    const message = messageOf(arrival, receivedAt);
    return before === undefined ? message : mergeMessages(message, before);
  }, undefined);
}

/** What people see of a message, and what the counters count. */
function stateOf(message: Message | undefined) {
  if (message === undefined) return undefined;
  const { status, rank, occurredAt, eventId, errorCode } = decidingEntry(message);
  return {
    status,
    rank,
    occurredAt,
    eventId,
    errorCode,
    phone: message.phone,
    sendId: message.sendId,
    conflict: hasConflict(message),
    costAndRoute: costAndRouteOf(message),
    deliveryMs: deliveryTime(message),
    counted: messageContribution(message),
  };
}

describe('an answer of the service', () => {
  const sent = messageOf(webhook('e1', 'sent', 1), now);
  const delivered = messageOf(webhook('e2', 'delivered', 2), now);
  const failed = messageOf(webhook('e3', 'failed', 2), now);
  const found = messageOf(lookup('delivered', 5), now);

  it.each<[string, Arrival, Message | undefined, string]>([
    ['about a message that nothing was reported about', lookup('sent', 1), undefined, 'missing'],
    ['that is more final', lookup('delivered', 9), sent, 'changed'],
    ['that says the same as the webhook', lookup('delivered', 9), delivered, 'known'],
    ['that is stale', lookup('sent', 1), delivered, 'known'],
    ['that says the same as an earlier lookup', lookup('delivered', 9), found, 'known'],
    ['that contradicts the webhook', lookup('failed', 9, { errorCode: '7' }), delivered, 'changed'],
    ['that fails for another reason', lookup('failed', 9, { errorCode: '7' }), failed, 'known'],
    [
      'with the number that no report had',
      lookup('sent', 1, { phone: '+12025550143' }),
      delivered,
      'completed',
    ],
    [
      'with the price that no report had',
      lookup('delivered', 9, { price: '0.0075', currency: 'USD' }),
      delivered,
      'completed',
    ],
    ['with the send that no report had', lookup('sent', 1, { sendId: 's' }), delivered, 'completed'],
  ])('%s', (_, answer, before, finding) => {
    expect(compare(answer, before, now)).toBe(finding);
  });

  it('decides over an earlier answer of the same rank, whatever its id and its time are', () => {
    const [first, second] = [lookup('undelivered', 900), lookup('failed', 600)];
    expect(stateOf(stored([first, second]))).toMatchObject({ status: 'failed', occurredAt: at(600) });
    expect(stateOf(stored([second, first]))).toMatchObject({ status: 'undelivered' });
  });

  it('does not decide once the webhook has reported the same status, and contradicts nothing', () => {
    const message = stored([
      lookup('delivered', 900),
      webhook('e1', 'delivered', 2),
      webhook('e1', 'delivered', 2),
    ]);
    expect(stateOf(message)).toMatchObject({ eventId: 'e1', occurredAt: at(2), conflict: false });
  });
});

interface Facts {
  readonly errorCode: string | undefined;
  readonly isPriced: boolean;
  readonly segments: number | undefined;
}

describe('the order of webhooks and lookups does not matter', () => {
  const some = { nil: undefined };
  const facts = fc.record({
    status: fc.constantFrom(...canonicalStatuses),
    second: fc.integer({ min: 0, max: 5 }).map((step) => step * 600),
    errorCode: fc.option(fc.constantFrom('7', '8'), some),
    // A service knows one price of a message, and may not show it yet.
    isPriced: fc.boolean(),
    segments: fc.option(fc.constant(2), some),
  });
  const about = ({ errorCode, isPriced, segments }: Facts) => ({
    ...(errorCode !== undefined && { errorCode }),
    ...(isPriced && { price: '0.0075', currency: 'USD' }),
    ...(segments !== undefined && { segments }),
  });
  const reports = fc
    .array(facts, { maxLength: 4 })
    .map((all) => all.map((one, index) => webhook(`e${index}`, one.status, one.second, about(one))));
  const answers = fc
    .array(facts, { maxLength: 4 })
    .map((all) => all.map((one) => lookup(one.status, one.second, about(one))));
  /** All arrivals, some reports of them twice, in two orders. The answers of lookups keep their own order, because the one that is new last decides. */
  const twoOrders = (arrivals: readonly Arrival[]) => {
    const answers = arrivals.filter(({ origin }) => origin === 'lookup');
    const order = fc
      .array(fc.constantFrom(...arrivals), { maxLength: 4 })
      .chain((repeats) => {
        const all = [...arrivals, ...repeats.filter(({ origin }) => origin !== 'lookup')];
        return fc.shuffledSubarray(all, { minLength: all.length });
      })
      .map((shuffled) => {
        const left = [...answers];
        return shuffled.map((one) => (one.origin === 'lookup' ? (left.shift() ?? one) : one));
      });
    return fc.tuple(order, order);
  };

  it('for any reports and answers', () => {
    const input = fc
      .tuple(reports, answers)
      .filter(([a, b]) => a.length + b.length > 0)
      .chain(([a, b]) => twoOrders([...a, ...b]));
    assertProperty(
      fc.property(input, ([one, other]) => {
        expect(stateOf(stored(one))).toEqual(stateOf(stored(other)));
      }),
      { numRuns: 2000 },
    );
  });

  const presets = presetContracts.flatMap(({ name, contract }) =>
    contract.lookups === null ? [] : [{ name, contract, lookups: contract.lookups }],
  );

  it.each(presets)('for the documented reports and answers of $name', ({ contract, lookups }) => {
    const map = createMapper(contract);
    const read = createLookupReader(contract, lookups);
    const ofWebhook = contract.samples.flatMap((sample, index) =>
      map(bodyOfSample(sample, contract.webhook), `e${index}`, sampleReceivedAt(sample)).flatMap((mapped) =>
        mapped.kind === 'event' && mapped.event.kind === 'sms.status' ? [mapped.event] : [],
      ),
    );
    const ofLookups = lookups.samples.flatMap(({ operation, body }) => {
      const answer = read({ operation, text: JSON.stringify(body), answeredAt: now });
      return answer.kind === 'page' ? answer.reports : [];
    });
    expect(ofLookups.length).toBeGreaterThan(0);
    // All are about one message, which has one number and one send.
    const all = [...ofWebhook, ...ofLookups].map(({ phone, sendId, ...event }) => ({
      ...event,
      messageId: 'm',
      ...(phone !== undefined && { phone: '+12025550143' }),
      ...(sendId !== undefined && { sendId: 's' }),
    }));
    assertProperty(
      fc.property(twoOrders(all), ([one, other]) => {
        expect(stateOf(stored(one))).toEqual(stateOf(stored(other)));
      }),
    );
  });
});
