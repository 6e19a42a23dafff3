import { randomNormal, randomPoisson } from 'd3-random';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { createRandom, shuffled } from '../../sms-service/random.ts';
import { createConversations } from './conversations.ts';
import type { Outgoing } from './courses.ts';
import { type Customer, countries, customers } from './customers.ts';
import { oddities } from './oddities.ts';
import type { SampleEvent } from './sample-event.ts';
import { dayMs, incidentDay, type SampleSend, sampleDays, sendsUntil } from './sends.ts';
import { supportCase } from './support-case.ts';
import { expectedPerMinute } from './traffic-shape.ts';

export interface SampleOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The same seed gives the same sample, relative to the day. */
  readonly seed: number;
  /** 1 for the whole sample; less makes sends smaller and single messages fewer. */
  readonly size: number;
  readonly contract: Contract;
}

export interface SamplePlan {
  /** What is received until now, in this order. */
  readonly events: readonly SampleEvent[];
  /** What is received later, in this order: reports about messages under way, and the rest of today. */
  readonly later: readonly SampleEvent[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** 1970-01-05 is a Monday. */
const firstMonday = 4 * dayMs;

/** A message of a send begins this long after the one before, on average. */
const sendGapMs = 2_500;

/** Makes 30 days of traffic, and the rest of today: sends, single messages, replies, and what goes wrong. */
export function planSample({ now, seed, size, contract }: SampleOptions): SamplePlan {
  const random = createRandom(seed);
  const today = Math.floor(now / dayMs) * dayMs;
  const sends = sendsUntil(today);
  const outgoing = [
    ...sends.flatMap((send) => messagesOf(send, size, random)),
    ...singleMessages(today, size, random),
  ].sort((a, b) => a.startsAt - b.startsAt);
  const incidentAt = today - incidentDay.before * dayMs;
  const { play, events } = createConversations({
    contract,
    random,
    styles: new Map(sends.map(({ id, replies }) => [id, replies])),
    incident: {
      country: incidentDay.country,
      from: incidentAt + incidentDay.fromHour * hourMs,
      until: incidentAt + incidentDay.untilHour * hourMs,
      lost: incidentDay.lost,
      reason: 'carrier_rejected',
    },
  });
  for (const message of outgoing) play(message);
  const all = [
    ...events(),
    ...supportCase(contract, today, sends),
    ...oddities({ contract, events: events(), now, random }),
  ].sort((a, b) => a.at - b.at);
  return { events: all.filter(({ at }) => at <= now), later: all.filter(({ at }) => at > now) };
}

function messagesOf(send: SampleSend, size: number, random: () => number): Outgoing[] {
  const { id: sendId, startsAt, messages, countries: codes, quality = 0 } = send;
  const ofSend = 0.25 * randomNormal.source(random)()();
  const possible = customers.filter(({ country }) => codes?.includes(country.code) ?? true);
  const recipients = shuffled(weighted(possible, random), random).slice(0, Math.max(2, messages * size));
  let at = startsAt + random() * 4 * minuteMs;
  return recipients.map((to) => {
    at += 2 * sendGapMs * random();
    return { to, startsAt: Math.round(at), sendId, quality: quality + ofSend };
  });
}

/** Leaves out customers, so that of each country as many are left as its traffic has. */
function weighted(possible: readonly Customer[], random: () => number): Customer[] {
  const most = Math.max(...countries.map(densityOf));
  return possible.filter(({ country }) => random() < densityOf(country) / most);
}

const densityOf = ({ perDay, numbers }: Customer['country']): number => perDay / numbers.length;

/** Makes codes, confirmations and other messages of their own, more of them at day and on working days. */
function singleMessages(today: number, size: number, random: () => number): Outgoing[] {
  const poisson = randomPoisson.source(random);
  return countries.flatMap((country) => {
    const regulars = customers.filter((customer) => customer.country === country);
    return Array.from({ length: (sampleDays + 1) * 24 }, (_, index) => {
      const hour = today - sampleDays * dayMs + index * hourMs;
      const expected = 60 * expectedPerMinute(country, (hour + 30 * minuteMs - firstMonday) / minuteMs);
      return Array.from({ length: poisson(expected * size)() }, (): Outgoing[] => {
        const startsAt = Math.round(hour + random() * hourMs);
        const to = regulars[Math.floor(random() * regulars.length)];
        return to === undefined ? [] : [{ to, startsAt, quality: 0.2 }];
      }).flat();
    }).flat();
  });
}
