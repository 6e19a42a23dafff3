import type { SmsEvent } from '../functions/core/events/event.ts';
import type { Target } from './connection.ts';
import { sameTarget } from './options.ts';
import type { View } from './print.ts';
import { showPhone } from './show.ts';
import { sanitize } from './text/sanitize.ts';
import { renderFields } from './text/table.ts';
import { formatTime } from './text/time.ts';

/** An event that the webhook accepted. */
export interface Sent {
  /** As the pipeline reads it. */
  readonly event: SmsEvent;
  readonly url: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly target: Target;
}

/** What was sent as JSON: the event as the pipeline reads it, and the answer. */
export function viewSent({ event, url, status }: Sent): unknown {
  const { kind, eventId, occurredAt } = event;
  const about =
    kind === 'sms.status'
      ? { messageId: event.messageId, phone: event.phone ?? null, status: event.status }
      : { replyId: event.replyId, messageId: event.messageId ?? null, from: event.from, text: event.text };
  return { kind, eventId, ...about, occurredAt, url, httpStatus: status };
}

/** What was sent for people, and how to look it up. */
export function renderSent({ event, url, status, target }: Sent, view: View): string {
  const fields = renderFields(
    [
      ['Accepted', `${view.style('green', `HTTP ${status}`)} from ${sanitize(url)}`],
      ['Event', `${event.kind} ${sanitize(event.eventId)}`],
      ...aboutOf(event, view),
      ['Time', formatTime(event.occurredAt, view.zone)],
    ],
    view,
  );
  return `${fields}\n\nLook it up: npm run -s sms -- history ${lookup(event, view)}${sameTarget(target)}`;
}

function aboutOf(event: SmsEvent, view: View): (readonly [string, string])[] {
  if (event.kind === 'sms.status')
    return [
      ['Message', sanitize(event.messageId)],
      ['Status', sanitize(event.status)],
      ...(event.phone === undefined ? [] : [['Number', showPhone(event.phone, view)] as const]),
    ];
  return [
    ['Reply', sanitize(event.replyId)],
    ['From', showPhone(event.from, view)],
    ['Text', sanitize(event.text)],
  ];
}

function lookup(event: SmsEvent, view: View): string {
  if (event.kind === 'sms.status') return `message ${quoted(event.messageId)}`;
  return view.reveal ? `phone ${quoted(event.from)}` : 'phone <the number it is from>';
}

/** As a shell takes it. */
function quoted(text: string): string {
  const shown = sanitize(text);
  if (/^[\w+.:@/][\w+.:@/-]*$/.test(shown)) return shown;
  return `${shown.startsWith('-') ? '-- ' : ''}'${shown.replaceAll("'", `'\\''`)}'`;
}
