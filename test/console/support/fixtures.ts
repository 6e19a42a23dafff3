import type {
  Conversation,
  Health,
  Message,
  OptOut,
  QuarantineEntry,
  Reply,
  SearchResults,
  SendFigures,
  StatusEvent,
} from '../../../client/types.ts';
import { makeSends, type Traffic, usualTraffic } from './figures.ts';

type SearchResult = SearchResults['results'][number];

/** A text that tries to become code, an address, a formula, or the direction of the page. */
export const hostileText =
  '<img src=x onerror="document.title=\'hacked\'"><script>document.title="hacked"</script>\u202E javascript:alert(1) =HYPERLINK("http://x")';

const day = 86_400_000;
const now = Date.now();
const at = (agoMs: number) => new Date(now - agoMs).toISOString();

const numbers = [
  '+12025550143',
  '+12025550117',
  '+12025550199',
  '+12025550102',
  '+5511955550143',
  '+12025550165',
];
const numberOf = (index: number) => numbers[index % numbers.length] ?? '';

function report(
  messageId: string,
  status: string,
  agoMs: number,
  rest: Partial<StatusEvent> = {},
): StatusEvent {
  return {
    eventId: `evt-${messageId}-${status}`,
    status,
    occurredAt: at(agoMs),
    receivedAt: at(agoMs - 1400),
    ...rest,
  };
}

function message(
  messageId: string,
  phone: string | null,
  events: readonly StatusEvent[],
  rest: Partial<Message> = {},
): Message {
  const last = events.at(-1);
  return {
    messageId,
    phone,
    sendId: 'spring-2026',
    status: last?.status ?? 'unknown',
    final: !['accepted', 'queued', 'sent'].includes(last?.status ?? ''),
    statusAt: last?.occurredAt ?? at(0),
    firstSeenAt: events[0]?.receivedAt ?? at(0),
    conflict: false,
    events: [...events],
    ...rest,
  };
}

const failures = [
  ['undelivered', 'unreachable', '30003'],
  ['rejected', 'carrier_rejected', '30007'],
  ['failed', 'invalid_number', '21211'],
  ['undelivered', 'landline', '30006'],
  ['expired', 'expired', '30410'],
] as const;

function makeMessages(): Message[] {
  const contradicting = message(
    'msg-conflict',
    '+12025550143',
    [
      report('c', 'sent', 7_260_000),
      report('c', 'undelivered', 7_230_000, { errorCode: '30003', errorReason: 'unreachable' }),
      report('c', 'delivered', 7_200_000),
    ],
    { conflict: true },
  );
  const late = message(
    'msg-late',
    '+12025550117',
    [
      report('l', 'accepted', 90_000),
      report('l', 'delivered', 60_000),
      report('l', 'sent', 30_000, { word: 'SENT' }),
    ],
    { status: 'delivered', final: true, statusAt: at(60_000) },
  );
  const cost = { price: '0.0158', currency: 'USD', segments: 2, network: '310410', carrier: 'One' };
  const yesterday = message(
    'msg-yesterday',
    '+12025550188',
    [
      report('y', 'accepted', day + 62_000),
      report('y', 'sent', day + 61_000, cost),
      report('y', 'delivered', day + 58_000),
    ],
    cost,
  );
  const failed = Array.from({ length: 260 }, (_, index) => {
    const [status, errorReason, errorCode] = failures[index % failures.length] ?? failures[0];
    const id = `msg-f${String(index).padStart(4, '0')}`;
    const agoMs = 600_000 + index * 240_000;
    return message(id, numberOf(index), [
      report(id, 'sent', agoMs + 4000),
      report(id, status, agoMs, { errorCode, errorReason, errorText: `Carrier code ${errorCode}` }),
    ]);
  });
  const pending = Array.from({ length: 14 }, (_, index) =>
    message(`msg-p${index}`, numberOf(index), [
      report(`p${index}`, 'accepted', 40_000 + index * 9000),
      report(`p${index}`, index % 3 === 0 ? 'queued' : 'sent', 39_000 + index * 9000),
    ]),
  );
  const hostile = message('msg/50%?', null, [
    report('h', 'failed', 500_000, { errorText: hostileText, errorCode: '=1+1' }),
  ]);
  const unknown = message('msg-unknown', '+12025550102', [report('u', 'unknown', 3_600_000)], {
    sendId: null,
  });
  return [contradicting, late, yesterday, hostile, unknown, ...failed, ...pending];
}

const words = [
  'Yes, 3 pm works for me. Thank you!',
  'Who is this?',
  'STOP',
  'Pode ser amanhã às 10h? Hoje não estarei em casa.',
  'Ok 👍',
  'My order number is 5512. When will it arrive? I have been waiting since Monday and nobody answers the phone, so please write to me here.',
];

function makeReplies(): Reply[] {
  const first: Reply = {
    replyId: 'rep-1',
    messageId: 'msg-yesterday',
    from: '+12025550188',
    to: '+12025550100',
    text: 'Yes, got it. See you at 3 pm.',
    occurredAt: at(day - 600_000),
    receivedAt: at(day - 601_000),
  };
  const hostile: Reply = {
    replyId: 'rep-hostile',
    from: '+12025550199',
    text: hostileText,
    occurredAt: at(120_000),
    receivedAt: at(119_000),
  };
  const others = Array.from({ length: 40 }, (_, index) => ({
    replyId: `rep-${index + 2}`,
    from: numberOf(index),
    text: words[index % words.length] ?? '',
    occurredAt: at(300_000 + index * 1_500_000),
    receivedAt: at(299_000 + index * 1_500_000),
  }));
  return [hostile, ...others, first];
}

function makeOptOuts(): OptOut[] {
  const manual: OptOut = {
    phone: '+12025550165',
    since: at(day),
    by: 'operator',
    entryId: '7d0e',
    reason: 'Asked on the phone',
    recordedBy: 'assumed-role/Support/ann',
  };
  const failed: OptOut = {
    phone: '+12025550166',
    since: at(day * 1.5),
    by: 'provider',
    messageId: 'msg-2',
  };
  const replied = Array.from({ length: 23 }, (_, index) => ({
    phone: `+120255501${String(20 + index)}`,
    since: at(day * 2 + index * 9_000_000),
    by: 'person' as const,
    replyId: `rep-out-${index}`,
  }));
  return [manual, failed, ...replied];
}

function makeQuarantine(): QuarantineEntry[] {
  const entry = (
    index: number,
    reason: string,
    field: string | null,
    rest: Partial<QuarantineEntry> = {},
  ) => ({
    id: `${at(index * 3_000_000 + 60_000)}#9f8b6c2a#${index}`,
    reason,
    field,
    receivedAt: at(index * 3_000_000 + 60_000),
    requestId: `req-${index}-5b1f6c`,
    index: field === null ? null : index,
    raw: JSON.stringify({
      type: 'message.status',
      id: `evt-${index}`,
      status: 'delivered',
      time: '31/02/2026',
    }),
    encoding: 'utf8' as const,
    headers: null,
    ...rest,
  });
  return [
    entry(0, 'bad-time', 'data.occurred_at', { contract: 'c0ffee12' }),
    entry(1, 'signature-mismatch', null, {
      headers: { 'webhook-id': 'msg_2b', 'webhook-timestamp': '1767225600' },
      raw: `{"text": ${JSON.stringify(hostileText)}}`,
    }),
    entry(2, 'not-utf8', null, { raw: '/wD+AP0=', encoding: 'base64' }),
    ...Array.from({ length: 12 }, (_, index) => entry(index + 3, 'missing-field', 'data.message_id')),
  ];
}

const health: Health = {
  checkedAt: at(0),
  webhook: {
    webhookUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com/webhook',
    registeredUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com/webhook',
    state: 'registered',
    serviceFailure: null,
    desiredState: 'registered',
    secret: {
      stored: true,
      matchesService: true,
      since: at(85 * day),
      previousValidUntil: at(-3_600_000),
      rotating: { since: at(60_000), by: 'schedule' },
    },
    drift: { kinds: ['url-changed'], since: at(3_600_000) },
    lastReconcile: { at: at(120_000), failure: null },
    lastVerifiedAt: at(118_000),
    mismatchesLastHour: 4,
  },
  queues: [
    { name: 'EventsQueueUrl', waiting: 1250, inFlight: 40, oldestSeconds: 12 },
    { name: 'ForwardQueueUrl', waiting: 0, inFlight: 0, oldestSeconds: null },
  ],
  deadLetters: [{ name: 'DeadLetterQueueUrl', waiting: 3, inFlight: 0, oldestSeenAt: at(7_200_000) }],
  alarms: [
    {
      name: 'SmsPipeline-WorkerDeadLetters',
      since: at(7_100_000),
      description: 'Events were given up. Read the dead letters.',
    },
  ],
  contractDrift: {
    day: at(0).slice(0, 10),
    mismatches: [
      {
        kind: 'status',
        field: 'events.status.status',
        expected: 'a known word',
        found: 'string',
        word: 'DELIVRD',
        foundAt: at(1_800_000),
      },
    ],
  },
  healthy: false,
  checks: [
    { check: 'database', state: 'ok', found: 'it answers', hint: null },
    { check: 'verified', state: 'ok', found: 'last verified request 2 minutes ago', hint: null },
    { check: 'webhook-secret', state: 'warn', found: 'a rotation is under way', hint: 'sms webhook status' },
    { check: 'queues', state: 'ok', found: 'no backlog', hint: null },
    {
      check: 'dead-letters',
      state: 'failed',
      found: '3 messages in SmsPipeline-WorkerDeadLetters',
      hint: 'sms dead-letter list',
    },
    { check: 'alarms', state: 'ok', found: '31 alarms, none is in alarm', hint: null },
    { check: 'api-key', state: 'skipped', found: 'not read here: sms webhook status shows it', hint: null },
  ],
};

/** What the server answers from. */
export interface Fixtures {
  /** The names of the pipeline's sources. */
  sources: readonly string[];
  messages: Message[];
  replies: Reply[];
  optOuts: OptOut[];
  quarantine: QuarantineEntry[];
  sends: SendFigures[];
  traffic: Traffic;
  health: Health;
  /** The entries of a page, whatever the request asks for. */
  pageSize?: number;
  search(text: string): SearchResult[];
  conversation(of: string): Conversation | undefined;
}

export function makeFixtures(): Fixtures {
  const fixtures: Fixtures = {
    messages: makeMessages(),
    replies: makeReplies(),
    optOuts: makeOptOuts(),
    quarantine: makeQuarantine(),
    sends: makeSends(now),
    sources: ['main'],
    traffic: usualTraffic,
    health,
    search: (text) => search(fixtures, text),
    conversation: (of) => conversation(fixtures, of),
  };
  return fixtures;
}

function search({ messages }: Fixtures, text: string): SearchResult[] {
  const digits = text.replace(/\D/g, '');
  const ofNumber = messages.find(({ phone }) => phone?.slice(1) === digits);
  const results: SearchResult[] = [];
  if (ofNumber?.phone != null)
    results.push({ kind: 'number', of: `m~${ofNumber.messageId}`, number: ofNumber.phone, optOut: null });
  for (const { source, messageId, phone, status, statusAt } of messages.filter(
    ({ messageId }) => messageId === text,
  ))
    results.push({
      kind: 'message',
      ...(source !== undefined && { source }),
      messageId,
      phone,
      status,
      statusAt,
      of: `m~${messageId}`,
    });
  if (messages.some(({ sendId }) => sendId === text)) results.push({ kind: 'send', sendId: text });
  if (digits === '12025550177')
    results.push({
      kind: 'number',
      of: null,
      number: '+12025550177',
      optOut: { state: 'out', statements: [] },
    });
  // One text that names two things.
  if (text === 'msg-f0001') results.push({ kind: 'send', sendId: text });
  return results;
}

function conversation({ messages, replies }: Fixtures, of: string): Conversation | undefined {
  const id = of.slice(2);
  const number = of.startsWith('m~')
    ? messages.find(({ messageId }) => messageId === id)?.phone
    : replies.find(({ replyId }) => replyId === id)?.from;
  if (number == null) return undefined;
  const entries = [
    ...messages.filter(({ phone }) => phone === number).map((one) => ({ kind: 'message' as const, ...one })),
    ...replies.filter(({ from }) => from === number).map((one) => ({ kind: 'reply' as const, ...one })),
  ];
  const timeOf = (entry: (typeof entries)[number]) =>
    entry.kind === 'message' ? entry.firstSeenAt : entry.occurredAt;
  const isOut = number === '+12025550199';
  const statements = [
    ...(isOut
      ? [{ state: 'out' as const, at: at(3_000_000), by: 'provider' as const, messageId: 'msg-2' }]
      : []),
    ...(number === '+12025550117' || isOut
      ? [
          {
            state: 'in' as const,
            at: at(day * 3),
            by: 'operator' as const,
            entryId: '91aa',
            reason: 'Asked by e-mail',
            recordedBy: 'user/bo',
          },
          { state: 'out' as const, at: at(day * 9), by: 'person' as const, replyId: 'rep-old' },
        ]
      : []),
  ];
  return {
    number,
    optOut: statements[0] === undefined ? null : { state: statements[0].state, statements },
    entries: entries.toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1)),
    next: null,
  };
}
