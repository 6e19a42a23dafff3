import type { LookupQuestion } from '../../../../contract/lookups/lookup-request.ts';
import { type CanonicalStatus, rankOf, type StatusEvent } from '../../../../contract/schema/sms-event.ts';
import { err, ok, type SmsServiceError } from '../../../../functions/base/sms-service/request.ts';
import type { HistoryReader } from '../../../../functions/history/lists/history-list-store.ts';
import type { Message } from '../../../../functions/history/message.ts';
import type { ServiceLookups } from '../../../../functions/lookups/service-lookups-client.ts';

/** A message as the service knows it. */
export interface KnownMessage {
  readonly id: string;
  readonly send: string;
  /** ISO 8601. */
  readonly createdAt: string;
  status: CanonicalStatus;
}

/** A service in memory that answers lookups, with pages of two messages. */
export function madeService(
  messages: readonly KnownMessage[],
  { listsSends = false, neverEnds = false, pageLength = 0 } = {},
) {
  const asked: string[] = [];
  /** The error of the next requests, one for each; undefined answers. */
  const errors: (SmsServiceError | undefined)[] = [];

  const reportOf = ({ id, send, createdAt, status }: KnownMessage): StatusEvent => ({
    kind: 'sms.status',
    eventId: `lookup:${status}`,
    messageId: id,
    sendId: send,
    phone: '+12025550143',
    status,
    rank: rankOf(status),
    occurredAt: createdAt,
    origin: 'lookup',
    ...(status === 'failed' && { errorCode: '21610', errorReason: 'opted_out' as const }),
  });

  function select(question: LookupQuestion): readonly KnownMessage[] {
    switch (question.operation) {
      case 'message':
        return messages.filter(({ id }) => id === question.messageId);
      case 'send':
        return messages.filter(({ send }) => send === question.sendId);
      case 'list':
        return messages.filter(({ createdAt }) => createdAt >= question.since && createdAt < question.until);
    }
  }

  const lookups: ServiceLookups = {
    async ask(question, page) {
      asked.push(
        [question.operation, Object.values(question).slice(1).join('..'), page ?? ''].join(' ').trim(),
      );
      const error = errors.shift();
      if (error !== undefined) return err(error);
      const all = select(question);
      const start = Number(page ?? 0);
      const empty = { kind: 'page', reports: [], sendIds: [], unreadable: [], next: undefined } as const;
      if (question.operation === 'list' && listsSends)
        return ok({ ...empty, sendIds: [...new Set(all.map(({ send }) => send))] });
      const next =
        neverEnds || start + 2 < all.length ? String(start + 2).padStart(pageLength, '0') : undefined;
      return ok({ ...empty, reports: all.slice(start, start + 2).map(reportOf), next });
    },
  };
  return { lookups, asked, errors };
}

/** Reads several messages of a history in memory. */
export const readFrom =
  (history: Pick<HistoryReader, 'message'>) =>
  async (ids: readonly string[]): Promise<ReadonlyMap<string, Message>> => {
    const all = await Promise.all(ids.map(async (id) => [id, await history.message(id)] as const));
    return new Map(all.flatMap(([id, message]) => (message === undefined ? [] : [[id, message]])));
  };
