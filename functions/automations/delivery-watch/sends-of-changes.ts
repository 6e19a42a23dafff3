import { omitUndefined } from '../../base/basics.ts';
import type { HistoryLists, Message } from '../../history/index.ts';
import {
  addTallies,
  type CounterReads,
  figuresOf,
  messageContribution,
  type QuarterFigures,
  timeOf,
} from '../../insights/index.ts';
import { countedQuarters } from './counted-quarters.ts';
import { quarterMs } from './rules/counters.ts';
import type { SendPart } from './rules/one-send.ts';
import type { SubjectChange } from './rules/watch-quarter.ts';

/** A message of a send, with what it adds to the counters of its quarter hour and country. */
export interface SentMessage extends QuarterFigures {
  readonly messageId: string;
  readonly sendId: string;
  /** From the first report to the delivery; undefined if that is not known. */
  readonly deliveredMs: number | undefined;
}

/** What was read of sends. */
interface ReadSends {
  readonly parts: readonly SendPart[];
  readonly messages: readonly SentMessage[];
}

/** A send that has been running for longer is not found. */
const maxSendMs = 6 * 3600_000;

/** The totals of so many sends are read, and the messages of the largest of them. */
const maxListed = 100;
const maxRead = 20;

/** Messages that are read of one send, and of all. A send that is not read whole is left out. */
const maxOfSend = 5000;
const maxMessages = 20_000;
const pageSize = 100;

/**
 * Reads the messages that sends have in the quarter hours of degradations which are about to be reported: of the largest sends that began
 * within six hours. It reads nothing if there are no degradations.
 *
 * @param now milliseconds since the epoch
 */
export async function sendsOfChanges(
  counters: Pick<CounterReads, 'sends'>,
  lists: Pick<HistoryLists, 'send'>,
  changes: readonly SubjectChange[],
  now: number,
): Promise<ReadSends> {
  const degraded = changes.filter(({ kind }) => kind === 'degraded');
  // The signals of a source may be of two quarter hours.
  const starts = new Set(
    degraded.flatMap(({ since, findings }) => [since, ...findings.map(({ quarter }) => quarter)]),
  );
  if (starts.size === 0) return { parts: [], messages: [] };
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const listed = await counters.sends({
    since: first - maxSendMs,
    until: last + quarterMs,
    limit: maxListed,
  });
  const largest = listed.sends
    .map(({ sendId, tally }) => ({ sendId, size: figuresOf(tally).messages }))
    .sort((one, other) => other.size - one.size)
    .slice(0, maxRead);
  const found: SentMessage[] = [];
  let left = maxMessages;
  for (const { sendId } of largest) {
    const { messages, isWhole } = await read(lists, sendId, { first, now, limit: Math.min(left, maxOfSend) });
    left -= messages.length;
    if (isWhole)
      found.push(
        ...messages
          .flatMap((message) => sentMessages(message, sendId))
          .filter(({ start }) => starts.has(start)),
      );
    if (left <= 0) break;
  }
  return { parts: partsOf(found), messages: found };
}

/** Reads the messages of a send whose first report was received from a time on. */
async function read(
  lists: Pick<HistoryLists, 'send'>,
  sendId: string,
  { first, now, limit }: { readonly first: number; readonly now: number; readonly limit: number },
): Promise<{ readonly messages: readonly Message[]; readonly isWhole: boolean }> {
  const range = { since: new Date(first).toISOString(), until: new Date(now).toISOString() };
  const messages: Message[] = [];
  let cursor: string | undefined;
  do {
    const page = await lists.send({ sendId, ...range }, { limit: pageSize, ...omitUndefined({ cursor }) });
    messages.push(...page.entries);
    cursor = page.next;
  } while (cursor !== undefined && messages.length < limit);
  return { messages, isWhole: cursor === undefined };
}

function sentMessages(message: Message, sendId: string): SentMessage[] {
  const { tally, cohorts } = messageContribution(message);
  const [bucket] = figuresOf(tally).deliveryTimes.keys();
  const deliveredMs = bucket === undefined ? undefined : timeOf(bucket);
  return cohorts.flatMap((cohort) =>
    cohort.kind === 'quarter'
      ? [
          {
            messageId: message.messageId,
            sendId,
            start: cohort.start,
            country: cohort.country,
            source: cohort.source,
            tally,
            deliveredMs,
          },
        ]
      : [],
  );
}

function partsOf(messages: readonly SentMessage[]): SendPart[] {
  return [...Map.groupBy(messages, ({ sendId }) => sendId)].flatMap(([sendId, ofSend]) => {
    const places = Map.groupBy(ofSend, ({ start, country }) => `${start} ${country}`);
    const figures = [...places.values()].flatMap((inPlace) => {
      const [one] = inPlace;
      return one === undefined ? [] : [{ ...one, tally: addTallies(inPlace.map(({ tally }) => tally)) }];
    });
    return [...countedQuarters(figures)].map(([quarter, counters]) => ({ sendId, quarter, counters }));
  });
}
