import type { Contract } from '../schema/contract-schema.ts';
import {
  type CanonicalErrorReason,
  type CanonicalStatus,
  canonicalErrorReasons,
  canonicalStatuses,
} from '../schema/sms-event.ts';
import { contentId, signedId } from './event-id.ts';
import type { Proposal } from './proposal.ts';

type Events = Contract['events'];

/** A contract with what was proposed in its place; what has no value stays as it is. Words are added, and none is lost. */
export function applyProposals(contract: Contract, proposals: readonly Proposal[]): Contract {
  const values = new Map(proposals.map(({ key, value }) => [key, value]));
  const text = (key: string, before: string) => values.get(key) ?? before;
  const optional = (key: string, before: string | null) => {
    const value = values.get(key);
    return value === undefined ? before : value;
  };
  const { webhook, events, statuses, errors } = contract;
  const { status, reply } = events;
  const bodyFormat = text('webhook.bodyFormat', webhook.bodyFormat);
  const ofStatus = (field: keyof Events['status']) => `events.status.${field}`;
  const ofReply = (field: keyof Events['reply']) => `events.reply.${field}`;
  return {
    ...contract,
    webhook: { ...webhook, bodyFormat: bodyFormat === 'form' ? 'form' : 'json' },
    events: {
      list: text('events.list', events.list),
      kind: text('events.kind', events.kind),
      id: idOf(values.get('events.id'), events.id),
      timeFormat: timeFormatOf(text('events.timeFormat', events.timeFormat)),
      defaultCountry: events.defaultCountry,
      status: {
        messageId: text(ofStatus('messageId'), status.messageId),
        sendId: optional(ofStatus('sendId'), status.sendId),
        recipient: optional(ofStatus('recipient'), status.recipient),
        status: text(ofStatus('status'), status.status),
        occurredAt: optional(ofStatus('occurredAt'), status.occurredAt),
        errorCode: optional(ofStatus('errorCode'), status.errorCode),
        errorText: optional(ofStatus('errorText'), status.errorText),
      },
      reply: {
        replyId: optional(ofReply('replyId'), reply.replyId),
        messageId: optional(ofReply('messageId'), reply.messageId),
        from: text(ofReply('from'), reply.from),
        to: optional(ofReply('to'), reply.to),
        text: text(ofReply('text'), reply.text),
        occurredAt: optional(ofReply('occurredAt'), reply.occurredAt),
      },
    },
    statuses: { ...statuses, ...words<CanonicalStatus>(proposals, 'statuses.', canonicalStatuses) },
    errors: { ...errors, ...words<CanonicalErrorReason>(proposals, 'errors.', canonicalErrorReasons) },
  };
}

function idOf(value: string | null | undefined, before: Events['id']): Events['id'] {
  if (value === undefined || value === null) return before;
  if (value === signedId || value === contentId) return { from: value };
  return { from: 'body', path: value };
}

function timeFormatOf(value: string): Events['timeFormat'] {
  return value === 'unix-seconds' || value === 'unix-milliseconds' ? value : 'iso8601';
}

function words<T extends string>(
  proposals: readonly Proposal[],
  prefix: string,
  canonical: readonly T[],
): Record<string, T> {
  return Object.fromEntries(
    proposals.flatMap(({ key, value }) => {
      const found = canonical.find((one) => one === value);
      return key.startsWith(prefix) && found !== undefined ? [[key.slice(prefix.length), found]] : [];
    }),
  );
}
