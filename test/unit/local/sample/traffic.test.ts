import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { renderEvent } from '../../../../contract/events/render.ts';
import { canonicalStatuses } from '../../../../contract/schema/sms-event.ts';
import { countryOf } from '../../../../functions/insights/counters/country.ts';
import { sampleErrors } from '../../../../local/run/completed-contract.ts';
import { supportPhone } from '../../../../local/sample/tables.ts';
import { createTraffic, customers, type SampleEvent } from '../../../../local/sample/traffic.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { presetContracts } from '../../../support/preset-contracts.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.parse('2026-03-12T15:20:00.000Z');
const contract = { ...shippedContract, errors: sampleErrors };

const traffic = createTraffic(contract, now);
const events = traffic.due(now);
const fieldsOf = (event: SampleEvent): Readonly<Record<string, string>> =>
  event.kind === 'body' ? {} : event.fields;
const reports = events.filter(({ kind }) => kind === 'sms.status').map(fieldsOf);
const texts = events.filter(({ kind }) => kind === 'sms.reply').map((event) => fieldsOf(event).text ?? '');
/** The statuses of each message, in the order in which the webhook receives them. */
const statusesOfMessages = [...Map.groupBy(reports, ({ messageId }) => messageId).values()].map((ofMessage) =>
  ofMessage.map(({ status }) => status),
);

describe('the sample', () => {
  it('has 8 to 10 thousand events of 30 days and of today until now, in the order in which they are received', () => {
    expect(events.length).toBeGreaterThan(8_000);
    expect(events.length).toBeLessThan(10_000);
    const times = events.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times.map((at) => Math.floor(at / dayMs))).size).toBe(31);
    expect(times.at(-1)).toBeLessThanOrEqual(now);
  });

  it('has every status, and every reason that has a code', () => {
    expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(canonicalStatuses));
    const codes = reports.flatMap(({ errorCode }) => errorCode ?? []);
    expect(new Set(codes)).toEqual(new Set(Object.keys(sampleErrors)));
  });

  it('has late and unordered reports, messages without an outcome, replies, opt-outs and opt-ins', () => {
    const delays = events.flatMap((event) => {
      const { occurredAt } = fieldsOf(event);
      return occurredAt === undefined ? [] : [event.at - Date.parse(occurredAt)];
    });
    expect(delays.filter((delay) => delay > hourMs).length).toBeGreaterThan(5);
    expect(delays.filter((delay) => delay < 0)).toEqual([]);
    const startsWith = (...first: string[]) =>
      statusesOfMessages.filter((statuses) => first.every((status, index) => statuses[index] === status));
    expect(startsWith('delivered', 'sent').length).toBeGreaterThan(20);
    expect(statusesOfMessages.filter((statuses) => statuses.join() === 'sent').length).toBeGreaterThan(3);
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter((text) => /^(stop|arret|sair)$/i.test(text)).length).toBeGreaterThan(10);
    expect(texts).toContain('START');
  });

  it('answers the support question: the message of yesterday was read, and the customer replied', () => {
    const ofCustomer = events.filter((event) =>
      [fieldsOf(event).recipient, fieldsOf(event).from].includes(supportPhone),
    );
    const yesterday = ofCustomer.filter(({ at }) => new Date(at).toISOString().startsWith('2026-03-11'));
    const ofSend = yesterday.filter((event) => fieldsOf(event).sendId === 'appointment-reminders-2026-03-11');
    expect(ofSend.map((event) => fieldsOf(event).status)).toContain('read');
    expect(yesterday.flatMap((event) => fieldsOf(event).text ?? [])).toEqual([
      "Yes, I'll be there. Is there parking nearby?",
      'Great, thank you!',
    ]);
    const ofSale = ofCustomer.filter((event) => fieldsOf(event).sendId === 'sale-2026-03-03');
    expect(ofSale.map((event) => fieldsOf(event).status)).toEqual(['sent', 'undelivered', 'delivered']);
  });

  it('has events that cannot be read, forged requests and a new field, on several days', () => {
    const map = createMapper(contract);
    const bodies = events.flatMap((event) => (event.kind === 'body' ? [event] : []));
    const kinds = bodies
      .filter(({ isForged }) => isForged !== true)
      .flatMap(({ body, id }) => map(Buffer.from(body), id, new Date(now).toISOString()))
      .map((mapped) => (mapped.kind === 'unreadable' ? mapped.reason : mapped.kind));
    expect(new Set(kinds)).toEqual(
      new Set(['bad-time', 'unknown-kind', 'missing-field', 'not-json', 'event']),
    );
    expect(bodies.filter(({ isForged }) => isForged).length).toBe(2);
    for (const { body, at } of bodies)
      for (const [time] of body.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g))
        expect(Math.abs(Date.parse(time) - at)).toBeLessThan(dayMs);
    expect(new Set(bodies.map(({ at }) => Math.floor(at / dayMs))).size).toBeGreaterThan(5);
  });

  it('has prices of messages that the service handed over, by country and parts', () => {
    const priced = reports.filter(({ price }) => price !== undefined);
    expect(priced.length).toBeGreaterThan(2_000);
    expect(priced.filter(({ status }) => status === 'sent' || status === 'rejected')).toEqual([]);
    const american = priced.filter(({ recipient }) => recipient?.startsWith('+1'));
    const costs = new Set(
      american.map(({ price, currency, segments }) => `${segments}: ${price} ${currency}`),
    );
    expect(costs).toEqual(new Set(['1: 0.008 USD', '2: 0.016 USD']));
    // All reports of a message have the same price.
    const pricesOfMessages = Map.groupBy(priced, ({ messageId }) => messageId).values();
    for (const same of pricesOfMessages) expect(new Set(same.map(({ price }) => price)).size).toBe(1);
  });

  it.each(presetContracts)('can be written by $name', ({ contract: other }) => {
    const written = createTraffic(other, now).due(now - 29 * dayMs);
    for (const event of written)
      if (event.kind !== 'body')
        expect(renderEvent(other, { ...event, eventId: event.id }).body.length).toBeGreaterThan(0);
  });
});

it('the numbers of customers are different, and belong to their countries', () => {
  const phones = customers.map(({ phone }) => phone);
  expect(new Set(phones).size).toBe(phones.length);
  expect(customers.filter(({ phone, country }) => countryOf(phone) !== country.code)).toEqual([]);
  expect(phones).not.toContain(supportPhone);
});

it('live traffic follows the fill at once', () => {
  const live = traffic.due(now + 10 * 60_000);
  expect(Math.min(...live.map(({ at }) => at))).toBeGreaterThan(now);
  expect(live.filter(({ at }) => at < now + 60_000).length).toBeGreaterThan(5);
});

it('a later run continues the traffic, also with another contract', () => {
  const { read: _read, ...statuses } = contract.statuses;
  const later = createTraffic({ ...contract, statuses }, now);
  const withoutRead = (list: readonly SampleEvent[]) =>
    list.filter((event) => fieldsOf(event).status !== 'read');
  expect(later.due(now)).toEqual(withoutRead(events));
});
