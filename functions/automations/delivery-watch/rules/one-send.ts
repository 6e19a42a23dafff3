import {
  type CountedQuarter,
  type CountedQuarters,
  type Counters,
  type CountersByCountry,
  sumCounters,
} from './counters.ts';
import type { Finding } from './finding.ts';
import { partOf, type Subject } from './subject.ts';

/** The messages of one send that were first reported in a quarter hour. */
export interface SendPart {
  readonly sendId: string;
  /** The start of the quarter hour. */
  readonly quarter: number;
  readonly counters: CountedQuarter;
}

/** Returns the counters of a quarter hour without the messages of a send. The send may have been read a moment later than the counters. */
export function withoutSend(quarter: CountersByCountry, sent: CountersByCountry): CountersByCountry {
  return new Map(
    [...quarter].flatMap(([country, counters]) => {
      const part = sent.get(country);
      const rest = part === undefined ? counters : difference(counters, part);
      return rest.messages > 0 ? [[country, rest] as const] : [];
    }),
  );
}

function difference(counters: Counters, part: Counters): Counters {
  const byTime = new Map(part.deliveries.map(({ ms, messages }) => [ms, messages]));
  const less = (count: number, other: number | undefined) => Math.max(count - (other ?? 0), 0);
  return {
    messages: less(counters.messages, part.messages),
    delivered: less(counters.delivered, part.delivered),
    deliveries: counters.deliveries.map(({ ms, messages }) => ({
      ms,
      messages: less(messages, byTime.get(ms)),
    })),
    failures: new Map(
      [...counters.failures].map(([reason, count]) => [reason, less(count, part.failures.get(reason))]),
    ),
  };
}

/** A send with a smaller part of the messages is not blamed. */
const minPart = 0.25;

/** The messages of a subject that one send has. */
interface SendOfSubject {
  readonly sendId: string;
  /** Returns those that were first reported in a quarter hour. @param start of the quarter hour */
  at(start: number): CountersByCountry;
}

const noMessages: CountersByCountry = new Map();

/** Returns the sends that have a large part of the messages of a subject in one of these quarter hours. */
export function largeSends(
  subject: Subject,
  sends: readonly SendPart[],
  counted: CountedQuarters,
  quarters: ReadonlySet<number>,
): readonly SendOfSubject[] {
  return [...Map.groupBy(sends, ({ sendId }) => sendId)].flatMap(([sendId, parts]) => {
    const bySend = new Map(parts.map(({ quarter, counters }) => [quarter, partOf(subject, counters)]));
    const at = (start: number) => bySend.get(start) ?? noMessages;
    const isLarge = [...quarters].some((start) => {
      const quarter = counted.get(start);
      return quarter !== undefined && hasLargePart(at(start), partOf(subject, quarter));
    });
    return isLarge ? [{ sendId, at }] : [];
  });
}

function hasLargePart(sent: CountersByCountry, current: CountersByCountry): boolean {
  const { messages } = sumCounters(current.values());
  const inSubject = [...sent].flatMap(([country, each]) => (current.has(country) ? [each] : []));
  return sumCounters(inSubject).messages >= minPart * messages;
}

/** Returns the counters of the countries that a send has messages to. */
export function countriesOf(sent: CountersByCountry, quarter: CountersByCountry): CountersByCountry {
  return new Map([...quarter].filter(([country]) => sent.has(country)));
}

/** Without the send less than this part of the distance from what is usual is left. */
const leftShare = 0.5;

/** The other messages must be so many that chance moves them by at most this part of the distance. */
const chanceShare = 1 / 3;

/**
 * Returns whether a send is why a subject is worse than usual. It is so if the other messages are as usual, and enough to show it if they were
 * not: in an incident of a country or a carrier they are as far from what is usual as all are. It is unclear if the other messages are too few.
 *
 * @param whole the findings that are out of their limits
 * @param rest the findings of the quarter hour without the messages of the send
 */
export function blameSend(whole: readonly Finding[], rest: readonly Finding[]): 'yes' | 'no' | 'unclear' {
  const answers = whole.map(({ signal, distance }) => {
    const other = rest.find((finding) => finding.signal === signal);
    if (other === undefined) return 'unclear';
    if (other.distance >= leftShare * distance) return 'no';
    return other.chance <= chanceShare * distance ? 'yes' : 'unclear';
  });
  if (answers.includes('no')) return 'no';
  return answers.length === 0 || answers.includes('unclear') ? 'unclear' : 'yes';
}
