import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import { renderEvent } from '../../../../../contract/events/render.ts';
import { countryOf } from '../../../../../functions/insights/counters/country.ts';
import { sampleErrors } from '../../../../../local/run/completed-contract.ts';
import { customers, supportPhone } from '../../../../../local/sample/traffic/customers.ts';
import { planSample, type SampleOptions } from '../../../../../local/sample/traffic/plan.ts';
import type { SampleEvent } from '../../../../../local/sample/traffic/sample-event.ts';
import { contracts, shippedContract } from '../../../../../tools/support/contracts.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-03-12T15:20:00.000Z');
const contract = { ...shippedContract, errors: sampleErrors };

const plan = (options: Partial<SampleOptions> = {}) =>
  planSample({ now, seed: 26, size: 1, contract, ...options });

const { events, later } = plan();
const fieldsOf = (event: SampleEvent): Readonly<Record<string, string>> =>
  event.kind === 'body' ? {} : event.fields;

describe('the sample', () => {
  it('has 8 to 12 thousand events of 30 days and of today until now, in the order in which they are received', () => {
    expect(events.length).toBeGreaterThan(8_000);
    expect(events.length).toBeLessThan(12_500);
    const times = events.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times.map((at) => Math.floor(at / dayMs))).size).toBe(31);
    expect(times.at(-1)).toBeLessThanOrEqual(now);
    expect(later.every(({ at }) => at > now)).toBe(true);
  });

  it('is the same for the same seed, and the same one day later relative to the day', () => {
    expect(plan({ size: 0.1 })).toEqual(plan({ size: 0.1 }));
    const texts = (at: number) => plan({ size: 0.1, now: at }).events.map(({ id }) => id);
    const [today, other] = [texts(now), plan({ size: 0.1, seed: 27 }).events.map(({ id }) => id)];
    expect(other).not.toEqual(today);
  });

  it('has failures with codes, repeats, contradictions, messages under way, opt-outs and a return', () => {
    const codes = new Set(events.flatMap((event) => fieldsOf(event).errorCode ?? []));
    expect([...codes].filter((code) => !(code in sampleErrors))).toEqual([]);
    expect(codes.size).toBeGreaterThanOrEqual(7);
    expect(new Set(events.map(({ id }) => id)).size).toBeLessThan(events.length - 100);

    const statuses = Map.groupBy(events, (event) => fieldsOf(event).messageId);
    const has = (of: readonly SampleEvent[], status: string) =>
      of.some((event) => fieldsOf(event).status === status);
    const messages = [...statuses.values()];
    expect(messages.filter((of) => has(of, 'delivered') && has(of, 'undelivered')).length).toBeGreaterThan(3);
    const final = ['delivered', 'failed', 'undelivered', 'expired', 'rejected'];
    expect(messages.filter((of) => !final.some((status) => has(of, status))).length).toBeGreaterThan(10);

    const texts = events.flatMap((event) => (event.kind === 'sms.reply' ? (event.fields.text ?? '') : []));
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => /^(stop|arret|sair)$/i.test(text)).length).toBeGreaterThan(10);
    expect(texts.filter((text) => text === 'START').length).toBeGreaterThanOrEqual(1);
  });

  it('answers the support question: the message of yesterday was delivered and read, and the customer answered', () => {
    const own = events.filter((event) =>
      [fieldsOf(event).recipient, fieldsOf(event).from].includes(supportPhone),
    );
    const yesterday = own.filter(({ at }) => new Date(at).toISOString().startsWith('2026-03-11'));
    const inSend = yesterday.filter((event) => fieldsOf(event).sendId === 'appointment-reminders-2026-03-11');
    expect(inSend.map((event) => fieldsOf(event).status)).toContain('read');
    expect(yesterday.flatMap((event) => fieldsOf(event).text ?? [])).toEqual([
      "Yes, I'll be there. Is there parking nearby?",
      'Great, thank you!',
    ]);
  });

  it('has events that cannot be read, and forged requests, on several days', () => {
    const map = createMapper(contract);
    const bodies = events.flatMap((event) => (event.kind === 'body' ? [event] : []));
    const reasons = bodies
      .filter(({ isForged }) => isForged !== true)
      .flatMap(({ body, id }) => map(Buffer.from(body), id, new Date(now).toISOString()))
      .map((mapped) => (mapped.kind === 'unreadable' ? mapped.reason : mapped.kind));
    expect(new Set(reasons)).toEqual(
      new Set(['bad-time', 'unknown-kind', 'missing-field', 'not-json', 'event']),
    );
    expect(bodies.filter(({ isForged }) => isForged).length).toBeGreaterThanOrEqual(2);
    for (const { body, at } of bodies)
      for (const [time] of body.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g))
        expect(Math.abs(Date.parse(time) - at)).toBeLessThan(dayMs);
    expect(new Set(bodies.map(({ at }) => Math.floor(at / dayMs))).size).toBeGreaterThan(5);
  });

  it('has prices of messages that the service handed over, by country and parts', () => {
    const priced = events.map(fieldsOf).filter(({ price }) => price !== undefined);
    expect(priced.length).toBeGreaterThan(2_000);
    expect(priced.filter(({ status }) => status === 'sent' || status === 'rejected')).toEqual([]);
    const american = priced.filter(({ recipient }) => recipient?.startsWith('+1'));
    const costs = new Set(
      american.map(({ price, currency, segments }) => `${segments}: ${price} ${currency}`),
    );
    expect(costs).toEqual(new Set(['1: 0.008 USD', '2: 0.016 USD']));
    // All reports of a message have the same price.
    const ofMessages = Map.groupBy(priced, ({ messageId }) => messageId);
    for (const same of ofMessages.values()) expect(new Set(same.map(({ price }) => price)).size).toBe(1);
  });

  it.each(contracts)('can be written by the $name contract', ({ contract: other }) => {
    const sample = plan({ contract: other, size: 0.05 });
    for (const event of sample.events)
      if (event.kind !== 'body')
        expect(renderEvent(other, { ...event, eventId: event.id }).body.length).toBeGreaterThan(0);
  });
});

it('the numbers of the sample are different, and belong to their countries', () => {
  const phones = customers.map(({ phone }) => phone);
  expect(new Set(phones).size).toBe(phones.length);
  expect(customers.filter(({ phone, country }) => countryOf(phone) !== country.code)).toEqual([]);
  expect(phones).not.toContain(supportPhone);
});
