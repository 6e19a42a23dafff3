import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RegisteredNumber } from '../../../../../functions/history/lists/opt-out-read-store.ts';
import type { Page, Selected } from '../../../../../functions/history/lists/time-range.ts';
import { type Message, messageOf } from '../../../../../functions/history/message.ts';
import { timeName } from '../../../../../functions/insights/counters/count-names.ts';
import type { SendFigures } from '../../../../../functions/insights/counters/counter-read-store.ts';
import { bucketOf } from '../../../../../functions/insights/counters/delivery-times.ts';
import type { QueryDependencies } from '../../../../../functions/query/api/answer-query.ts';
import { createIdMask, idMaskKeyBytes } from '../../../../../functions/query/api/masked-ids.ts';
import { httpApiEvent, type RequestParts } from '../../../../../tools/support/lambda-events.ts';
import { recorder } from '../../../../support/recorder.ts';

/** 2026-01-15T12:00:00Z */
export const now = Date.UTC(2026, 0, 15, 12);

export const message: Message = messageOf(
  {
    kind: 'sms.status',
    eventId: 'evt-1',
    messageId: 'msg-1',
    phone: '+12025550143',
    status: 'sent',
    rank: 30,
    occurredAt: '2026-01-15T11:00:00.000Z',
  },
  '2026-01-15T11:00:01.000Z',
);

const stopped = {
  phone: '+12025550143',
  state: 'out',
  at: '2026-01-15T11:30:00.000Z',
  by: 'person',
  replyId: 'reply-1',
} as const;

/** The counts of a send of three messages: one delivered after 4.1 s, one failed, one sent. */
const send: SendFigures = {
  sendId: 'send-1',
  first: now,
  tally: {
    delivered: 1,
    undelivered: 1,
    sent: 1,
    'error#unreachable#30003': 1,
    replies: 1,
    [timeName(bucketOf(4100))]: 1,
  },
};

/** Leaves out the entries of a page that a query does not select. */
function selected<T>(given: T, query: unknown): T {
  const { where } = Object(query) as Selected<unknown>;
  const { entries } = Object(given) as { entries?: readonly unknown[] };
  if (where === undefined || entries === undefined) return given;
  return { ...given, entries: entries.filter((entry) => where.accepts(entry)) };
}

/** A call of a source: its name and what it was asked. */
export type Call = readonly [source: string, ...asked: unknown[]];

/**
 * Sources that remember what they were asked, know one message and one entry of the quarantine by their ids, and give lists of
 * one page.
 *
 * @param failure what every call fails with instead
 */
function fakeSources(failure?: Error) {
  const calls: Call[] = [];
  const asked =
    <T>(source: string, given: T) =>
    async (...question: unknown[]): Promise<T> => {
      calls.push([source, ...question]);
      if (failure !== undefined) throw failure;
      return selected(given, question[0]);
    };
  const page = <T>(...entries: readonly T[]): Page<T> => ({ entries, next: 'next-cursor' });
  const reply = {
    replyId: 'reply-1',
    current: {
      eventId: 'evt-2',
      from: '+12025550143',
      text: 'Yes',
      occurredAt: '2026-01-15T11:30:00.000Z',
      receivedAt: '2026-01-15T11:30:01.000Z',
    },
    olderVersions: new Map(),
  };
  const summary = {
    id: '2026-01-15T11:00:00.000Z#req-1#0',
    reason: 'bad-time',
    receivedAt: '2026-01-15T11:00:00.000Z',
    requestId: 'req-1',
    index: 0,
  } as const;
  const sources = {
    reader: {
      message: async (id: string) => {
        const known = await asked('message', message)(id);
        return id === known.messageId ? known : undefined;
      },
      reply: async (id: string) => {
        const known = await asked('reply', reply)(id);
        return id === known.replyId ? known : undefined;
      },
    },
    optOuts: {
      number: asked<RegisteredNumber>('number', {
        ...stopped,
        statements: [stopped],
      }),
    },
    lists: {
      phone: asked('phone', page({ kind: 'message', message } as const)),
      send: asked('send', page(message)),
      failed: asked('failed', page(message)),
      unknown: asked('unknown', page(message)),
      pending: asked('pending', page(message)),
      replies: asked('replies', page(reply)),
      optOuts: asked(
        'optOuts',
        page({ phone: '+12025550143', at: '2026-01-15T11:30:00.000Z', by: 'person' as const, replyId: 'r' }),
      ),
    },
    counters: {
      send: async (id: string) => {
        const known = await asked('counted-send', send)(id);
        return id === known.sendId ? known : undefined;
      },
      sends: asked('counted-sends', { sends: [send], next: { first: now, pk: 'send#send-1' } }),
      quarters: asked('quarters', [{ start: now, country: 'US', source: 'main', tally: send.tally }]),
      days: asked('days', [{ day: '2026-01-15', country: 'US', source: 'main', tally: send.tally }]),
    },
    quarantine: {
      list: asked('quarantine', page(summary)),
      entry: async (id: string) => {
        const known = await asked('entry', { ...summary, raw: Buffer.from('{}') })(id);
        return id === known.id ? known : undefined;
      },
    },
  };
  return { calls, sources };
}

/** The dependencies of the function with sources of fakes. */
export function dependencies(failure?: Error) {
  const { calls, sources } = fakeSources(failure);
  const { log, count, ...recorded } = recorder();
  const all: QueryDependencies = {
    ...sources,
    sources: ['main'],
    clock: () => now,
    log,
    count,
    groupsClaim: 'groups',
    idMask: async () => createIdMask(Buffer.alloc(idMaskKeyBytes, 7)),
    pipeline: 'Shop',
    contracts: [{ source: 'main', hash: 'c0ffee12beef', service: 'Acme SMS', delivered: ['DELIVRD'] }],
    numberRules: { numbers: 'mixed', defaultCountry: null },
  };
  return { all, calls, recorded };
}

/** A request as API Gateway hands it on. @param target path, decoded, and query */
export function queryEvent(
  target: string,
  { method = 'GET', headers = {}, ...parts }: Omit<RequestParts, 'rawQueryString'> = {},
  authorizer: object | undefined = { iam: {} },
): APIGatewayProxyEventV2 {
  const [rawPath = '', rawQueryString = ''] = target.split('?');
  const event = httpApiEvent({ method, headers, rawQueryString, ...parts });
  const requestContext = { ...event.requestContext, authorizer };
  return { ...event, requestContext, rawPath, routeKey: 'ANY /v1/{proxy+}' };
}
