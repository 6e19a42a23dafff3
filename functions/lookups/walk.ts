import type { LookupReport } from '../../contract/lookups/lookup-answer.ts';
import type { LookupQuestion } from '../../contract/lookups/lookup-request.ts';
import { err, type Result } from '../base/sms-service/request.ts';
import { operationNames } from './problems.ts';
import type { ServiceLookups } from './service-lookups-client.ts';

/** The place in the answers to one question at which a later request goes on. It is stored as JSON. */
export interface Position {
  /** The next page of the question; null after the last one. */
  readonly page?: string | null;
  /** The sends that the last page listed and that are not asked for yet. */
  readonly sends?: readonly string[];
  /** The next page of the first of these sends. */
  readonly sendPage?: string;
  /** How many pages of the question were asked for, and of the first of these sends. */
  readonly pages?: number;
  readonly sendPages?: number;
}

/**
 * In bytes of JSON. The places of up to six lists are one item, which DynamoDB limits to 400 KB. One that cannot be stored would keep the
 * lookups from going on.
 */
const maxPositionBytes = 64 * 1024;

/** An answer may have this many pages. Of a service that always names a next page, no more are asked for. */
const maxPages = 10_000;

/** The result of one request. */
interface Step {
  readonly reports: readonly LookupReport[];
  /** Why messages of the page could not be read; one entry for each. */
  readonly unreadable: readonly string[];
  /** Undefined after the last page. */
  readonly next: Position | undefined;
}

/**
 * Asks for the next page of a question. If the service lists bulk sends, the page after a list is that of its first send. So one request is
 * in memory at a time, and a run can end after every one.
 */
export async function step(
  lookups: ServiceLookups,
  question: LookupQuestion,
  { page, sends = [], sendPage, pages = 0, sendPages = 0 }: Position = {},
): Promise<Result<Step>> {
  const [sendId, ...others] = sends;
  const unexpected = (expected: string): Result<Step> =>
    err({
      kind: 'unexpected-answer',
      operation: operationNames[sendId === undefined ? question.operation : 'send'],
      status: 200,
      path: '$',
      expected,
    });
  if ((sendId === undefined ? pages : sendPages) >= maxPages)
    return unexpected(`expected a last page within ${maxPages.toLocaleString('en-US')} pages`);
  const answer =
    sendId === undefined
      ? await lookups.ask(question, page ?? undefined)
      : await lookups.ask({ operation: 'send', sendId }, sendPage);
  if (answer.kind === 'error') return answer;
  const { reports, unreadable, sendIds, next } = answer.value;
  const position =
    sendId === undefined
      ? { page: next ?? null, sends: sendIds, pages: pages + 1 }
      : {
          page: page ?? null,
          pages,
          ...(next === undefined ? { sends: others } : { sends, sendPage: next, sendPages: sendPages + 1 }),
        };
  if (Buffer.byteLength(JSON.stringify(position)) > maxPositionBytes)
    return unexpected(`expected a next page and sends of at most ${maxPositionBytes} bytes`);
  const isOver = position.page === null && position.sends.length === 0;
  return { kind: 'ok', value: { reports, unreadable, next: isOver ? undefined : position } };
}
