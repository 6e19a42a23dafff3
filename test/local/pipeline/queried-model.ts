import type { Reported, ReportedReply, ReportedStatus } from './queried-events.ts';

/** What history has to say of a message. */
export interface ModelMessage {
  readonly messageId: string;
  readonly sendId: string;
  readonly phone: string;
  readonly status: string;
  readonly statusAt: string;
  /** Words of all reports, sorted. */
  readonly words: readonly string[];
}

/** History as plain data, made of the events without any code of the pipeline. */
export interface Model {
  readonly messages: readonly ModelMessage[];
  readonly replies: readonly ReportedReply[];
  /** By number, the reply that said so last. */
  readonly optedOut: ReadonlyMap<string, ReportedReply>;
  readonly nonsense: number;
}

const rank: Readonly<Record<string, number>> = {
  accepted: 10,
  queued: 20,
  sent: 30,
  expired: 100,
  rejected: 100,
  failed: 100,
  undelivered: 100,
  delivered: 110,
  read: 120,
};
const rankOf = (word: string) => rank[word] ?? 0;

export const isFailure = ({ status }: ModelMessage): boolean => rankOf(status) === 100;
export const isPending = ({ status }: ModelMessage): boolean => rankOf(status) < 90;

export function modelOf(events: readonly Reported[]): Model {
  const statuses = events.filter((event) => event.kind === 'status');
  const replies = events.filter((event) => event.kind === 'reply');
  const said = replies.filter(({ text }) => ['STOP', 'start', 'Sair!'].includes(text));
  const newest = new Map<string, ReportedReply>();
  for (const reply of said) {
    const known = newest.get(reply.from);
    const isNewer =
      known === undefined ||
      reply.occurredAt > known.occurredAt ||
      (reply.occurredAt === known.occurredAt && reply.replyId > known.replyId);
    if (isNewer) newest.set(reply.from, reply);
  }
  return {
    messages: [...Map.groupBy(statuses, ({ messageId }) => messageId).values()].map(messageOf),
    replies,
    optedOut: new Map([...newest].filter(([, { text }]) => text !== 'start')),
    nonsense: events.length - statuses.length - replies.length,
  };
}

function messageOf(reports: readonly ReportedStatus[]): ModelMessage {
  const [deciding] = [...reports].sort(
    (a, b) => rankOf(b.status) - rankOf(a.status) || (a.occurredAt < b.occurredAt ? 1 : -1),
  );
  if (deciding === undefined) throw new Error('a message without reports');
  const { messageId, sendId, phone, status, occurredAt } = deciding;
  const words = reports.map((report) => report.status).sort();
  return { messageId, sendId, phone, status, statusAt: occurredAt, words };
}
