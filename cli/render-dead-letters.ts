import type { DeadLetter } from '../functions/adapters/dead-letter-queue.ts';
import { decodeEnvelope } from '../functions/core/envelope.ts';
import { deadLetterAdvice } from './dead-letter-advice.ts';
import type { DeadLetterContent, RequestEvent } from './dead-letter-content.ts';
import type { View } from './print.ts';
import { sanitize, sanitizeLines } from './text/sanitize.ts';
import { renderTable } from './text/table.ts';
import { formatTime } from './text/time.ts';

/** A message that was given up on, and what it is. */
interface ReadLetter {
  readonly letter: DeadLetter;
  readonly content: DeadLetterContent;
}

/** Messages of one queue. */
export interface QueueLetters {
  readonly name: string;
  /** About how many wait. */
  readonly waiting: number;
  readonly letters: readonly ReadLetter[];
}

/** Events of a request that are named. */
const mostEvents = 5;

/** A queue's messages for people; what they hold only where the reader asked for it. */
export function renderLetters({ name, waiting, letters }: QueueLetters, view: View): string {
  const title = view.style('bold', `${name}, about ${waiting} waiting`);
  if (letters.length === 0) return `${title}\n\nNo message was found.`;
  const table = renderTable(
    [
      { title: `SENT (${view.zone})` },
      { title: 'RECEIVED', maximum: 8 },
      { title: 'MESSAGE ID' },
      { title: 'WHAT' },
    ],
    letters.map(({ letter: { sentAt, receiveCount, messageId }, content }) => [
      { text: formatTime(sentAt, view.zone) },
      { text: `${receiveCount} ×` },
      { text: sanitize(messageId) },
      { text: sanitize(describe(content)) },
    ]),
    view,
  );
  const kinds = new Set(letters.map(({ content }) => content.kind));
  const advice = [...kinds].map((kind) => view.style('dim', `→ ${deadLetterAdvice[kind]}`));
  const bodies = view.reveal
    ? letters.map(({ letter }) => `${view.style('bold', sanitize(letter.messageId))}\n${textOf(letter.body)}`)
    : [];
  return [title, table, advice.join('\n'), ...bodies].join('\n\n');
}

/** What a message is as JSON; its body whole. */
export function viewLetter({ letter, content }: ReadLetter) {
  const { messageId, sentAt, receiveCount, body } = letter;
  return { messageId, sentAt, receiveCount, ...content, body };
}

function describe(content: DeadLetterContent): string {
  switch (content.kind) {
    case 'request':
      return `request ${content.requestId}: ${listed(content.events)}`;
    case 'parked-request':
      return `parked request ${content.requestId}, not verified: ${listed(content.events)}`;
    case 'captured-request':
      return `captured request ${content.requestId}, not verified: ${listed(content.events)}`;
    case 'bus-event':
      return `${content.detailType}${content.about === null ? '' : `, ${content.about}`}, event ${content.eventId}`;
    case 'event-refused':
      return `refused event (${content.error}): ${content.detailType}, event ${content.eventId}${itemOf(content.itemKey)}`;
    case 'record-unreadable':
      return `unreadable record (${content.error})${itemOf(content.itemKey)}`;
    case 'stream-batch':
      return `stream range (${content.error}): ${content.batchSize} changes from ${content.approximateArrivalOfFirstRecord} to ${content.approximateArrivalOfLastRecord}, ${content.shardId}`;
    case 'unknown':
      return 'not written by this pipeline';
  }
}

function listed(events: readonly RequestEvent[]): string {
  const named = events
    .slice(0, mostEvents)
    .map((event) =>
      event.kind === 'unreadable' ? `unreadable (${event.reason})` : `${event.kind} ${event.id}`,
    );
  const more = events.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function itemOf(itemKey: string | null): string {
  return itemKey === null ? '' : `, item ${itemKey}`;
}

/** A request's own body, or the message as it is. */
function textOf(body: string): string {
  const envelope = decodeEnvelope(body);
  return sanitizeLines(envelope === undefined ? body : Buffer.from(envelope.body).toString());
}
