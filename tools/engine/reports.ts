import { randomUUID } from 'node:crypto';
import { shuffled } from '../../local/sms-service/random.ts';

/** A delivery report to send. */
export interface Report {
  readonly messageId: string;
  /** The id that it is signed with; undefined if the service chooses one. */
  readonly eventId?: string | undefined;
  readonly status: string;
  /** When it happened, in seconds after a fixed time. */
  readonly second: number;
  readonly to?: string;
  readonly sendId?: string;
  /** Makes the request longer. The pipeline does not store it. */
  readonly padding?: string | undefined;
  /** The word of the service for the status; by default the status itself. */
  readonly word?: string;
}

const course = ['queued', 'sent', 'delivered'];
export const eventsPerMessage = course.length;

/** The statuses that end a message, with the meaning of each. */
const ended = new Map([
  ['delivered', 'success and final'],
  ['undelivered', 'failure and final'],
]);

/** Returns the meaning of a status. */
export function meaningOf(status: string): string {
  return ended.get(status) ?? 'open';
}

/** The recipient of a report that names none. */
export const defaultRecipient = '+12025550143';

/** Returns the ISO time of a report. */
export function timeOf(second: number): string {
  return new Date(Date.UTC(2026, 0, 15, 12, 0, 0, second * 1000)).toISOString();
}

/** Returns a report as the service sends it. */
export function bodyOf({ messageId, status, second, to = defaultRecipient, ...more }: Report): object {
  const { sendId: send_id, padding, word = status } = more;
  return {
    type: 'sms.status',
    data: { id: messageId, send_id, to, status: word, occurred_at: timeOf(second), padding },
  };
}

/** Returns a report of now, as the service sends it. */
export function statusEvent(id: string, status = 'delivered') {
  const data = { id, to: defaultRecipient, status, occurred_at: new Date().toISOString() };
  return { type: 'sms.status', data };
}

/** Returns a reply of now, as the service sends it. */
export function replyEvent(from: string, text: string, id: string = randomUUID()) {
  const data = { id, from, to: '+12025550100', text, occurred_at: new Date().toISOString() };
  return { type: 'sms.reply', data };
}

/** Returns the reports of one message from the first to the last. */
export function courseOf(messageId: string, statuses: readonly string[] = course): Report[] {
  return statuses.map((status, second) => ({ messageId, eventId: `${messageId}-${second}`, status, second }));
}

/** Returns the reports of many messages, message by message. @param series what the ids begin with */
export function manyReports(series: string, messages: number): Report[] {
  return Array.from({ length: messages }, (_, number) =>
    courseOf(`${series}-${number}`).map((report) => ({
      ...report,
      sendId: `${series}-send-${Math.floor(number / 1000)}`,
      to: `+120255501${String(number % 100).padStart(2, '0')}`,
    })),
  ).flat();
}

const variedCourses = [course, ['accepted', ...course], course, ['queued', 'sent', 'undelivered']];

/** Messages with the courses services report: three or four reports each, every fourth message failing; the first ones "sent" twice. */
export function variedReports(messages: number, reports: number): Report[] {
  const all = Array.from({ length: messages }, (_, number) =>
    courseOf(`msg-${number}`, variedCourses[number % variedCourses.length]),
  ).flat();
  const more = Array.from({ length: reports - all.length }, (_, number) => ({
    messageId: `msg-${number}`,
    eventId: `msg-${number}-again`,
    status: 'sent',
    second: 2,
  }));
  return [...all, ...more];
}

/** Returns each report one to three times, in any order. */
export function shuffledRepeats(reports: readonly Report[], random: () => number): Report[] {
  const repeated = reports.flatMap((report) => Array<Report>(1 + Math.floor(random() * 3)).fill(report));
  return shuffled(repeated, random);
}

/** Returns the state of a message with these reports: the one that ended it, otherwise the latest. */
export function stateOf(reports: readonly Report[]): string {
  const end = reports.find(({ status }) => ended.has(status));
  const latest = reports.toSorted((one, other) => other.second - one.second)[0];
  return (end ?? latest)?.status ?? '';
}
