import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { Subject } from './published-facts.ts';

/** Times in these formats always name their zone, or are in UTC. */
const withZone: ReadonlySet<string> = new Set(['rfc2822', 'unix-seconds', 'unix-milliseconds']);

/** Returns the subjects that a preset has. */
export function subjectsOf({ webhook, events, errors }: Contract): ReadonlySet<Subject> {
  const { status, reply } = events;
  const hasTimes = status.occurredAt !== null || reply.occurredAt !== null;
  const has: Readonly<Record<Subject, boolean>> = {
    signature: !['token', 'none'].includes(webhook.signature.scheme),
    'number format': events.numbers !== 'mixed',
    'time zone':
      !hasTimes ||
      events.timeZone !== null ||
      [events.timeFormat].flat().every((format) => withZone.has(format)),
    parts: [status.segments, status.parentMessageId, reply.partReference].some((field) => field !== null),
    media: reply.media !== null,
    'final flag': status.final !== null,
    reasons: Object.values(errors).some((meaning) => meaning !== 'none'),
    'opt-out code': Object.values(errors).includes('opted_out') || reply.optOut !== null,
    retries: webhook.retries !== undefined,
    probe: webhook.probe !== undefined,
  };
  return new Set((Object.keys(has) as Subject[]).filter((subject) => has[subject]));
}
