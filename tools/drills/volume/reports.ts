import { createHash } from 'node:crypto';

/** A delivery report that the drill sends. */
export interface Report {
  readonly messageId: string;
  readonly eventId: string;
  readonly status: string;
  /** Second of a minute in which it occurred. */
  readonly second: number;
}

const courses = [
  ['queued', 'sent', 'delivered'],
  ['accepted', 'queued', 'sent', 'delivered'],
  ['queued', 'sent', 'delivered'],
  ['queued', 'sent', 'undelivered'],
];
const ended = new Set(['delivered', 'undelivered']);

/** Messages with the courses services report: three or four reports each, every fourth message failing. */
export function reportsOf(messages: number, reports: number): Report[] {
  const all = Array.from({ length: messages }, (_, number) => {
    const messageId = `msg-${number}`;
    return (courses[number % courses.length] ?? []).map((status, index) => ({
      messageId,
      eventId: `${messageId}-${index}`,
      status,
      second: index,
    }));
  }).flat();
  // A further "sent" for the first messages brings it to the number asked for.
  const more = Array.from({ length: reports - all.length }, (_, number) => ({
    messageId: `msg-${number}`,
    eventId: `msg-${number}-again`,
    status: 'sent',
    second: 2,
  }));
  return [...all, ...more];
}

/** A shuffle of each report one to three times, the same for the same seed. */
export function arrivalsOf(reports: readonly Report[], seed: number): Report[] {
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return reports
    .flatMap((report) => Array.from({ length: 1 + Math.floor(random() * 3) }, () => report))
    .map((report) => ({ report, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ report }) => report);
}

/** History as it must be: by message id, its state, the number of its reports and their ids. */
export function historyOf(reports: readonly Report[]): Map<string, string> {
  const endings = endingsOf(reports);
  const byMessage = Map.groupBy(reports, ({ messageId }) => messageId);
  return new Map(
    [...byMessage].map(([messageId, own]) => {
      const ids = own.map(({ eventId }) => eventId).sort();
      return [messageId, `${endings.get(messageId)} ${own.length} ${ids.join(' ')}`];
    }),
  );
}

/** Returns the published final statuses of each message, by its id. */
export function endingsOf(
  published: readonly { readonly messageId: string; readonly status: string }[],
): Map<string, string> {
  const endings = published.filter(({ status }) => ended.has(status));
  const byMessage = Map.groupBy(endings, ({ messageId }) => messageId);
  return new Map([...byMessage].map(([id, own]) => [id, own.map(({ status }) => status).join(' ')]));
}

/** Returns the facts that must be on the bus, each under its one `eventId`: by message and report. */
export function factsOf(reports: readonly Report[]): Map<string, string> {
  // Computed again here: consumers rely on the parts of the id.
  const idOf = (...parts: readonly string[]) =>
    createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return new Map(
    reports.map(({ messageId, eventId }) => [`${messageId} ${eventId}`, idOf('report', messageId, eventId)]),
  );
}
