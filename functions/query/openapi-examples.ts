import type { Problem } from '../core/query/problem.ts';
import { problem } from '../core/query/problem.ts';
import type { RouteName } from '../core/query/routes.ts';
import type {
  MessageView,
  OptOutView,
  PageView,
  QuarantinedView,
  QuarantineEntryView,
  ReplyView,
} from '../core/query/views.ts';

// Examples of the document; the numbers are fictitious.

const message: MessageView = {
  messageId: 'msg-1',
  phone: '+12025550143',
  sendId: 'send-1',
  status: 'delivered',
  final: true,
  statusAt: '2026-01-15T12:00:07.000Z',
  firstSeenAt: '2026-01-15T12:00:01.000Z',
  conflict: false,
  events: [
    {
      eventId: 'evt-1',
      status: 'sent',
      occurredAt: '2026-01-15T12:00:00.000Z',
      receivedAt: '2026-01-15T12:00:01.000Z',
    },
    {
      eventId: 'evt-2',
      status: 'delivered',
      word: 'DELIVRD',
      occurredAt: '2026-01-15T12:00:07.000Z',
      receivedAt: '2026-01-15T12:00:08.000Z',
    },
  ],
};

const failed: MessageView = {
  ...message,
  messageId: 'msg-2',
  status: 'undelivered',
  statusAt: '2026-01-15T12:00:09.000Z',
  events: [
    {
      eventId: 'evt-3',
      status: 'undelivered',
      occurredAt: '2026-01-15T12:00:09.000Z',
      receivedAt: '2026-01-15T12:00:10.000Z',
      errorCode: '1',
      errorReason: 'unreachable',
      errorText: 'absent subscriber',
    },
  ],
};

const reply: ReplyView = {
  replyId: 'reply-1',
  messageId: 'msg-1',
  from: '+12025550143',
  to: '+12025550100',
  text: 'Yes',
  occurredAt: '2026-01-15T12:05:00.000Z',
  receivedAt: '2026-01-15T12:05:01.000Z',
};

const optOut: OptOutView = {
  phone: '+12025550199',
  since: '2026-01-15T12:06:00.000Z',
  replyId: 'reply-2',
};

const quarantined: QuarantinedView = {
  id: '2026-01-15T12:00:05.000Z#9f8b6c2a#0',
  reason: 'bad-time',
  field: 'occurredAt',
  receivedAt: '2026-01-15T12:00:05.000Z',
  requestId: '9f8b6c2a',
  index: 0,
};

const quarantineEntry: QuarantineEntryView = {
  ...quarantined,
  raw: '{"type":"sms.status","data":{"occurred_at":"never"}}',
  encoding: 'utf8',
  headers: null,
};

const page = <T>(...entries: readonly T[]): PageView<T> => ({ entries, next: null });

export const exampleAnswers: Readonly<Record<RouteName, object>> = {
  getMessage: message,
  listMessages: page(failed),
  getTimeline: page({ kind: 'reply', ...reply }, { kind: 'message', ...message }),
  listSend: page(failed, message),
  listReplies: page(reply),
  listOptOuts: page(optOut),
  listQuarantine: page(quarantined),
  getQuarantineEntry: quarantineEntry,
};

/** By the name of the response. */
export const exampleProblems: Readonly<Record<string, Problem>> = {
  BadRequest: problem('invalid-parameters', '2 parameters are wrong: see errors.', [
    { parameter: 'state', detail: 'expected failed or pending' },
    { parameter: 'limit', detail: 'expected a whole number from 1 to 100' },
  ]),
  NotFound: problem('unknown-message', 'No report about it has been stored, or its retention has ended.'),
  MethodNotAllowed: problem('method-not-allowed', 'History is read here, never changed.'),
  InternalError: problem('internal', 'The cause is in the log of the function.'),
  Unavailable: problem('unavailable', 'Ask again in a moment.'),
};
