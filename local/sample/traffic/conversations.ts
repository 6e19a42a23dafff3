import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { createCourses, type Incident, type Outgoing } from './courses.ts';
import type { Customer } from './customers.ts';
import { type ReplyStyle, replyShares, stopWords, textsOf } from './replies.ts';
import { createIds, replyEvent, reportEvents, type SampleEvent } from './sample-event.ts';

interface ConversationOptions {
  readonly contract: Contract;
  readonly random: () => number;
  readonly incident: Incident;
  /** How customers reply, by send. */
  readonly styles: ReadonlyMap<string, ReplyStyle>;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Of the messages to a number that opted out this share is sent nevertheless, and rejected. */
const sentAfterOptOut = 0.1;

/** Every so-manieth opt-out returns. */
const returns = 5;

/** Plays messages in the order of their time: their reports, and the replies of customers, who may opt out and return. */
export function createConversations({ contract, random, incident, styles }: ConversationOptions) {
  const courseOf = createCourses(incident, random);
  const newId = createIds(random);
  const events: SampleEvent[] = [];
  /** When a number opted out, and when it returns. */
  const optedOut = new Map<string, { readonly from: number; readonly until: number }>();

  /** Sends a message. Returns its id, and when it was delivered; undefined if it was not. */
  function send(outgoing: Outgoing): { messageId: string; deliveredAt: number | undefined } {
    const messageId = newId('msg');
    const reports = courseOf(outgoing);
    const { sendId, to } = outgoing;
    events.push(
      ...reportEvents(contract, { messageId, sendId, phone: to.phone }, reports, () => newId('evt')),
    );
    const delivered = reports.find(({ status }) => status === 'delivered');
    return { messageId, deliveredAt: delivered?.occurredAt };
  }

  /** Returns the time of the reply. */
  function reply(to: Customer, messageId: string, text: string, after: number): number {
    const occurredAt = Math.round(after + minuteMs * (0.5 + 25 * random() ** 2));
    events.push(
      replyEvent({ messageId, phone: to.phone }, to.country, {
        text,
        occurredAt,
        replyId: newId('rep'),
        id: newId('evt'),
      }),
    );
    return occurredAt;
  }

  function optOut(to: Customer, messageId: string, after: number): void {
    const from = reply(to, messageId, stopWords[to.country.language], after);
    const hasReturn = optedOut.size % returns === 0;
    const until = hasReturn ? reply(to, messageId, 'START', from + 4 * dayMs) : Number.POSITIVE_INFINITY;
    optedOut.set(to.phone, { from, until });
  }

  /** The customer replies; after some replies a person answers, and the customer writes again. */
  function converse(to: Customer, messageId: string, style: ReplyStyle, after: number): void {
    const texts = textsOf(style, to.country.language);
    const { text = '', afterAnswer } = texts[Math.floor(random() * texts.length)] ?? {};
    const repliedAt = reply(to, messageId, text, after);
    if (afterAnswer === undefined) return;
    const startsAt = Math.round(repliedAt + minuteMs * (3 + 20 * random()));
    const answer = send({ to, startsAt, quality: 1 });
    if (answer.deliveredAt !== undefined) reply(to, answer.messageId, afterAnswer, answer.deliveredAt);
  }

  function play(outgoing: Outgoing): void {
    const { to, sendId, startsAt } = outgoing;
    const period = optedOut.get(to.phone);
    if (period !== undefined && startsAt > period.from && startsAt < period.until) {
      if (random() < sentAfterOptOut) send({ ...outgoing, failure: 'opted_out' });
      return;
    }
    const { messageId, deliveredAt } = send(outgoing);
    const style = styles.get(sendId ?? '') ?? 'few';
    const { replies, stop } = replyShares[style];
    if (deliveredAt === undefined || random() >= replies) return;
    if (random() < stop) optOut(to, messageId, deliveredAt);
    else converse(to, messageId, style, deliveredAt);
  }

  return { play, events: (): readonly SampleEvent[] => events };
}
