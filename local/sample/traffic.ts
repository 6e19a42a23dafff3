import { isPlain } from '../../contract/events/places.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import { createRandom, shuffled } from '../sms-service/random.ts';
import { type Fault, faults, faultyBody } from './faulty-request.ts';
import {
  type Country,
  type CourseReport,
  carrierIncident,
  countries,
  deliveries,
  failures,
  networks,
  type ReplyShares,
  type Send,
  sends,
  sentAfterOptOut,
  supportMessages,
  supportPhone,
  unitedStates,
  usualReplies,
} from './tables.ts';

/** A signed request to play. */
export type SampleEvent = {
  /** Identifies the event; one that is sent twice has the same. */
  readonly id: string;
  /** When the webhook receives it; milliseconds since the epoch. */
  readonly at: number;
  readonly isForged?: boolean;
} & (
  | { readonly kind: 'sms.status' | 'sms.reply'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'body'; readonly body: string }
);

/** The traffic of the sample, which does not end. */
export interface Traffic {
  /** Returns the events that the webhook receives until a time, in their order, each once. Milliseconds since the epoch. */
  due(until: number): SampleEvent[];
}

interface Customer {
  readonly country: Country;
  readonly phone: string;
}

/** A message to send. */
interface Outgoing {
  readonly to: Customer;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Undefined for a message that belongs to no send. */
  readonly sendId: string | undefined;
  readonly shares: ReplyShares;
  /** The share of such messages that an incident hits. */
  readonly incident?: number | undefined;
}

/** The same for every sample, so that two people see the same. */
const seed = 26;
/** The sample begins this many days before it is first played. */
export const sampleDays = 30;

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Live messages begin this long before the sample is first played, so that the last hour has some. */
const liveBeforeMs = 2 * minuteMs;
/** The time from one live message to the next. It is short at first, so that a viewer sees figures move, and grows with each message. */
const liveGap = { firstMs: 12 * secondMs, growth: 1.02, maxMs: 4 * minuteMs };

/** The share of messages that have two parts. */
const longShare = 0.25;
/** The share of messages to a number that opted out which are sent nevertheless. */
const sentAfterOptOutShare = 0.2;
/** The share of opt-outs that the customer takes back an hour later. */
const optInShare = 0.2;

export const customers: readonly Customer[] = countries.flatMap((country) =>
  country.numbers.map((phone) => ({ country, phone })),
);

const iso = (ms: number) => new Date(ms).toISOString();
const sendIdOf = (name: string, day: number) => `${name}-${iso(day).slice(0, 10)}`;

/**
 * Makes the traffic from 30 days before the sample is first played. All of it follows from that time, also the ids of events. So a later run
 * with kept tables continues it, and an event that is played twice is stored once.
 *
 * @param begun when the sample is first played; milliseconds since the epoch
 */
export function createTraffic(contract: Contract, begun: number): Traffic {
  const random = createRandom(seed);
  const today = Math.floor(begun / dayMs) * dayMs;
  const statuses = new Set<string>(Object.values(contract.statuses));
  const codes = new Map(Object.entries(contract.errors).map(([code, reason]) => [reason, code]));
  const optedOut = new Set<string>();
  let waiting: SampleEvent[] = [];
  let nextDay = today - sampleDays * dayMs;
  let nextLiveAt = begun - liveBeforeMs;
  let liveGapMs = liveGap.firstMs;

  function newId(kind: 'evt' | 'msg' | 'rep'): string {
    return `${kind}_${Array.from({ length: 12 }, () => Math.floor(random() * 36).toString(36)).join('')}`;
  }

  /** Picks an entry at random: one with a greater weight more frequently. */
  function pick<T>(list: readonly T[], weightOf: (entry: T) => number = () => 1): T {
    let left = random() * list.reduce((sum, entry) => sum + weightOf(entry), 0);
    const picked = list.find((entry) => {
      left -= weightOf(entry);
      return left < 0;
    });
    if (picked === undefined) throw new Error('An empty list has no entry to pick.');
    return picked;
  }

  /**
   * Returns the fields of a report that can be written: the contract reads them from a place, which is not that of the status. A price is of use
   * only with its currency.
   */
  function writable(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
    const expressions = contract.events.status;
    const names = Object.entries(expressions).flatMap(([name, expression]) =>
      expression !== null && isPlain(expression) && expression !== expressions.status ? [name] : [],
    );
    const isPriced = names.includes('price') && names.includes('currency');
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        value !== undefined && names.includes(name) && (isPriced || name !== 'price') ? [[name, value]] : [],
      ),
    );
  }

  /** Adds the reports about a message that the contract has a word for, and returns the id of the message. */
  function addMessage(
    { to, at, sendId }: Pick<Outgoing, 'to' | 'at' | 'sendId'>,
    reports: readonly CourseReport[],
    slowness = 1,
  ): string {
    const messageId = newId('msg');
    const segments = random() < longShare ? 2 : 1;
    const cost = {
      price: String((segments * to.country.price) / 1000),
      currency: 'USD',
      segments: String(segments),
      network: pick(networks),
    };
    for (const { status, after, receivedAfter = after, reason, text } of reports) {
      const id = newId('evt');
      const delayMs = (0.3 + random()) * secondMs;
      // Services know the price once they have handed the message over, and do not charge for messages that they reject.
      const isCharged = outcomeOf(rankOf(status)) !== 'open' && status !== 'rejected';
      const fields = {
        messageId,
        recipient: to.phone,
        status,
        occurredAt: iso(at + after * slowness * secondMs),
        ...writable({
          sendId,
          errorCode: reason && codes.get(reason),
          errorText: text,
          ...(isCharged && cost),
        }),
      };
      const receivedAt = Math.round(at + receivedAfter * slowness * secondMs + delayMs);
      if (statuses.has(status)) waiting.push({ kind: 'sms.status', id, at: receivedAt, fields });
    }
    return messageId;
  }

  function addReply({ country, phone }: Customer, messageId: string, text: string, at: number): void {
    const fields = { replyId: newId('rep'), messageId, from: phone, to: country.sender, text };
    waiting.push({
      kind: 'sms.reply',
      id: newId('evt'),
      at: Math.round(at) + secondMs,
      fields: { ...fields, occurredAt: iso(at) },
    });
  }

  function addFault(fault: Fault, at: number): void {
    const id = newId('evt');
    const body = faultyBody(contract, fault, newId('msg'), at);
    if (body !== undefined) waiting.push({ kind: 'body', id, at, body, isForged: fault === 'forged' });
  }

  /** Sends a message: adds the reports about it, and the reply to it. */
  function play(outgoing: Outgoing): void {
    const { to, at, shares, incident = 0 } = outgoing;
    if (optedOut.has(to.phone)) {
      if (random() < sentAfterOptOutShare) addMessage(outgoing, sentAfterOptOut.reports);
      return;
    }
    const courses = random() < to.country.failureShare ? failures : deliveries;
    const usualCourse = pick(courses, ({ weight }) => weight);
    const { reports } = random() < incident ? carrierIncident : usualCourse;
    const slowness = 0.4 + 2 * random() ** 2;
    const messageId = addMessage(outgoing, reports, slowness);
    const delivered = reports.find(({ status }) => status === 'delivered');
    if (delivered !== undefined && random() < shares.replies)
      reply(outgoing, messageId, at + delivered.after * slowness * secondMs);
  }

  function reply({ to, shares }: Outgoing, messageId: string, deliveredAt: number): void {
    const { optOutWord, texts } = to.country;
    const at = deliveredAt + (1 + 25 * random()) * minuteMs;
    if (random() >= shares.optOuts) {
      addReply(to, messageId, pick(texts), at);
      return;
    }
    addReply(to, messageId, optOutWord, at);
    if (random() < optInShare) addReply(to, messageId, 'START', at + hourMs);
    else optedOut.add(to.phone);
  }

  function messagesOf(send: Send, day: number): Outgoing[] {
    const { name, hours, messages, countries: codesOfSend, shares, incident } = send;
    const [from, to] = hours;
    const count = Math.round(messages * (0.8 + 0.4 * random()));
    const possible = customers.filter(({ country }) => codesOfSend?.includes(country.code) ?? true);
    return shuffled(possible, random)
      .slice(0, count)
      .map((customer) => ({
        to: customer,
        at: Math.round(day + (from + (to - from) * random()) * hourMs),
        sendId: name && sendIdOf(name, day),
        shares,
        incident,
      }));
  }

  /** Returns the live messages until the end of a day. They are one send. */
  function liveMessages(day: number): Outgoing[] {
    const messages: Outgoing[] = [];
    while (nextLiveAt < day + dayMs) {
      const sendId = sendIdOf('order-updates', day);
      messages.push({ to: pick(customers), at: Math.round(nextLiveAt), sendId, shares: usualReplies });
      nextLiveAt += liveGapMs;
      liveGapMs = Math.min(liveGapMs * liveGap.growth, liveGap.maxMs);
    }
    return messages;
  }

  function playDay(day: number): void {
    const daysBefore = (today - day) / dayMs;
    const weekday = new Date(day).getUTCDay();
    const messages = [
      ...sends
        .filter((send) => send.weekdays?.includes(weekday) || send.daysBefore === daysBefore)
        .flatMap((send) => messagesOf(send, day)),
      ...(day < today ? [] : liveMessages(day)),
    ];
    for (const message of messages.sort((one, other) => one.at - other.at)) play(message);
    for (const { fault, hour } of faults.filter((each) => each.daysBefore === daysBefore))
      addFault(fault, day + hour * hourMs);
  }

  function addSupportMessages(): void {
    const to = { country: unitedStates, phone: supportPhone };
    for (const { daysBefore, hour, send, reports, reply } of supportMessages) {
      const day = today - daysBefore * dayMs;
      const at = day + hour * hourMs;
      const messageId = addMessage({ to, at, sendId: send && sendIdOf(send, day) }, reports);
      if (reply !== undefined) addReply(to, messageId, reply.text, at + reply.after * secondMs);
    }
  }

  addSupportMessages();
  // The health page shows faults of the last hour.
  addFault('forged', begun - 20 * minuteMs);
  return {
    due(until) {
      for (; nextDay <= until; nextDay += dayMs) playDay(nextDay);
      const due = waiting.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
      waiting = waiting.filter(({ at }) => at > until);
      return due;
    },
  };
}
