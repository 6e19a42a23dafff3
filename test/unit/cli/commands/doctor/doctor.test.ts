import { describe, expect, it } from 'vitest';
import { doctorReport, runChecks } from '../../../../../cli/commands/doctor/finding.ts';
import { judgeSecret } from '../../../../../cli/commands/doctor/service.ts';
import { readContractIfAny } from '../../../../../cli/input/contract-file.ts';
import type { Connection } from '../../../../../cli/target/connection.ts';
import type { Inspection, QueueState, TopicState } from '../../../../../cli/target/stack/inspection.ts';
import type { StackState } from '../../../../../cli/target/stack/outputs.ts';
import type { NotedMismatch } from '../../../../../contract/drift/drift-watch.ts';
import { contractHash } from '../../../../../contract/events/body.ts';
import { formatCount } from '../../../../../functions/base/basics.ts';
import { describeError } from '../../../../../functions/base/sms-service/request.ts';
import type { WebhookReport } from '../../../../../functions/registration/webhook-report.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { commandLine, message, noonPlus, type Parts, recordingPost } from '../../support/harness.ts';
import { listsOf } from '../../support/lists.ts';
import { fakeRecount } from '../../support/recount.ts';
import { registered, withSecret } from '../../support/webhook.ts';

const minute = 60_000;
const url = registered.webhookUrl;
const everyPipelineHas =
  'HistoryTableName QuarantineTableName WebhookSecretId EventBusName EventBusArn PublisherFailuresQueueUrl ProbeQueueUrl WebhookUrl QueryUrl ApiId EventsQueueUrl DeadLetterQueueUrl WebhookStateTableName ListShards SecretOverlapHours SetupFunctionName'.split(
    ' ',
  );

const stack: StackState = {
  name: 'SmsPipeline',
  status: 'UPDATE_COMPLETE',
  outputs: {
    ...Object.fromEntries(everyPipelineHas.map((name) => [name, 'x'])),
    ContractHash: contractHash(shippedContract),
    InsightsTableName: 'insights',
    LookupFunctionName: 'lookups',
    Registration: 'on',
    RegisteredUrl: 'x',
  },
};

/** The stack with other outputs, an empty one for none. */
function stackWith(changes: Readonly<Record<string, string>>, status = 'UPDATE_COMPLETE'): StackState {
  const outputs = Object.entries({ ...stack.outputs, ...changes }).filter(([, value]) => value !== '');
  return { ...stack, status, outputs: Object.fromEntries(outputs) };
}
const changed = (...changes: Parameters<typeof stackWith>) => ({
  inspection: { stack: async () => stackWith(...changes) },
});

const topic = (name: string, settings: Partial<TopicState['settings']> = {}): TopicState => ({
  name,
  arn: `arn:aws:sns:us-east-1:111111111111:${name}`,
  settings: { confirmed: 1, pending: 0, key: undefined, ...settings },
});
const alarmTopic = topic('AlarmTopicArn');

const notAsked = () => Promise.reject(new Error('not asked for'));

interface Broken {
  readonly inspection?: Partial<Inspection>;
  readonly connection?: Partial<Connection>;
  readonly report?: WebhookReport;
  /** The report of the source `backup`, if there is one. */
  readonly backup?: WebhookReport;
  readonly parts?: Pick<Parts, 'post' | 'wait'>;
}

/** A pipeline that works, except for what is given. */
function pipeline({
  inspection = {},
  connection = {},
  report = registered,
  backup,
  parts = {},
}: Broken = {}) {
  const { post, posted } = recordingPost(202);
  const removed: string[] = [];
  const stored = new Set<string>();
  let now = Date.parse(noonPlus(0));
  const probe = {
    receive: async (id: string) => stored.add(id).has(id),
    remove: async (id: string) => {
      removed.push(id);
      stored.delete(id);
    },
  };
  const probed = { status: 'delivered', phone: '+12025550199' };
  const left = message('sms-doctor-left', [{ ...probed, second: -3600 }]);
  const fresh = message('sms-doctor-fresh', [{ ...probed, second: -5 }]);
  const { sms } = commandLine({
    ...(backup !== undefined && { ofSource: { invokeSetup: async () => backup } }),
    connection: {
      sources: async () => (backup === undefined ? ['main'] : ['main', 'backup']),
      inspection: async () => ({
        stack: async () => stack,
        queues: async () => [],
        topics: async () => [alarmTopic],
        alarms: async () => ({ read: notAsked, setOff: notAsked, actions: notAsked }),
        alarmsOn: async () => [],
        maxConcurrency: async () => 1000,
        probe: async () => probe,
        ...inspection,
      }),
      history: async () => ({
        ...listsOf({
          messages: [left, fresh, message('msg-1', [{ ...probed, second: -3600 }])],
          replies: [],
        }),
        message: async (id) =>
          stored.has(id) ? message(id, [{ status: 'delivered', second: 0 }]) : undefined,
      }),
      deadLetterQueues: async () => [],
      drift: async () => async () => [],
      ...fakeRecount().connection,
      webhookUrl: async () => url,
      webhookSecret: async () => ({
        version: 1,
        current: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', since: noonPlus(0) },
      }),
      captureSwitch: async () => ({ until: async () => noonPlus(-1), set: notAsked }),
      invokeSetup: async () => report,
      invokeLookups: async () => ({ days: {}, doneUntil: {} }),
      ...connection,
    },
    post,
    // Every look at the clock costs a second, so that waiting ends.
    clock: () => (now += 1000),
    wait: async () => true,
    ...parts,
  });
  async function checks(...args: string[]) {
    const { code, out, err } = await sms('doctor', '--json', ...args);
    const { checks, healthy } = doctorReport.parse(JSON.parse(out));
    expect([code, err === '']).toEqual(healthy ? [0, true] : [1, false]);
    return new Map(checks.map(({ check, state, found, hint }) => [check, { state, found, hint }]));
  }
  return { sms, checks, posted, removed };
}

it('a healthy pipeline passes every check, and its test message and older ones are removed', async () => {
  const { checks, posted, removed } = pipeline();
  const found = await checks();
  expect([...found].filter(([, { state }]) => state !== 'ok')).toEqual([]);
  expect([...found.keys()].slice(-4)).toEqual(['webhook', 'history', 'bus', 'clean-up']);
  expect(JSON.parse(Buffer.from(posted[0]?.body ?? []).toString()).data).toMatchObject({
    id: expect.stringMatching(/^sms-doctor-/),
    to: '+12025550199',
    status: 'delivered',
  });
  expect(removed).toEqual([expect.stringMatching(/^sms-doctor-0/), 'sms-doctor-left']);
});

it('each further source has a check of its webhook and its secret, except where --source names one', async () => {
  const healthy = await pipeline({ backup: registered }).checks();
  expect(healthy.get('source-backup')).toEqual({
    state: 'ok',
    found: 'api-key, webhook-url, webhook-secret, reconcile, verified, lookups, contract-drift, capture',
    hint: null,
  });
  const backup = { ...registered, ...withSecret({ matchesService: false }) };
  const broken = await pipeline({ backup }).checks();
  expect(broken.get('webhook-secret')).toMatchObject({ state: 'ok' });
  expect(broken.get('source-backup')).toEqual({
    state: 'failed',
    found: expect.stringMatching(/^webhook-secret: stored .* ago, not the one at the SMS service$/),
    hint: expect.stringMatching(/repairs it\.\nEvery check of it: sms doctor --source backup$/),
  });
  expect([...(await pipeline({ backup }).checks('--source', 'backup')).keys()]).not.toContain(
    'source-backup',
  );
});

it('shows values of today and yesterday that were kept as received, of each source', async () => {
  const days: string[][] = [];
  const noted = (source: string | undefined): NotedMismatch => ({
    kind: 'unread',
    field: 'events.reply.from',
    found: 'ambiguous-number',
    expected: 'phone number',
    example: '•••0119',
    events: 312,
    shape: '{}',
    foundAt: noonPlus(0),
    ...(source !== undefined && { source }),
  });
  const connection: Broken['connection'] = {
    drift: async () => async (asked) => {
      days.push([...asked]);
      return [
        {
          day: '2026-01-15',
          mismatches: new Map([
            ['a', noted(undefined)],
            ['b', noted('backup')],
          ]),
        },
      ];
    },
  };
  const found = await pipeline({ connection }).checks('--no-send');
  expect(found.get('contract-drift')).toEqual({
    state: 'warn',
    found:
      '312 values of events.reply.from were kept as received (ambiguous-number, such as •••0119), last on 2026-01-15',
    hint: expect.stringMatching(/^Ambiguous numbers: .* set "events\.numbers" to "national"/),
  });
  expect(days).toEqual([['2026-01-15', '2026-01-14']]);
  // What is in the table of the history is not to be trusted.
  const table = await pipeline({
    connection: {
      drift: async () => async () => [
        {
          day: '2026-01-15',
          mismatches: new Map([['a', { ...noted(undefined), field: 'a\u001b[2J\r\n\u202eb' }]]),
        },
      ],
    },
  }).sms('doctor', '--no-send');
  expect(table.out).toMatch(/^contract-drift +warn +312 values of a b were kept as received/m);
  const ofBackup = await pipeline({ connection, backup: registered }).checks('--no-send');
  expect(ofBackup.get('source-backup')).toMatchObject({
    state: 'warn',
    found: expect.stringMatching(/^contract-drift: 312 values of events\.reply\.from of the source backup /),
  });
});

it('a contract that is in the code of its app is no fault: without a file, and where none is named', async () => {
  expect(await readContractIfAny('none.json', false)).toBeUndefined();
  await expect(readContractIfAny('none.json', true)).rejects.toThrow('none.json');
  const unknown = (report: Partial<WebhookReport>) =>
    judgeSecret({ ...registered, ...report }, undefined, Date.parse(noonPlus(0))).state;
  expect([unknown({}), unknown(withSecret({ stored: false }))]).toEqual(['ok', 'warn']);
});

it('the table has a hint below each failed line, and a count', async () => {
  const report = {
    ...registered,
    state: 'elsewhere',
    registeredUrl: 'https://other.test/\u001b[2J',
  } as const;
  const { code, out, err } = await pipeline({ report }).sms('doctor');
  expect([code, err]).toEqual([1, 'error: 1 check failed.\n']);
  expect(out).toMatch(
    /^webhook-url +failed +the SMS service sends to https:\/\/other.test\/\S*\n +→ sms webhook register/m,
  );
  expect(out).toMatch(/\n\n21 ok, 1 failed\n$/);
});

it('the table leaves out the checks that need the outputs, if they cannot be read', async () => {
  const { out } = await pipeline(unreadStack).sms('doctor');
  expect(out.split('\n').filter((line) => /^[a-z]/.test(line))).toEqual([
    expect.stringMatching(/^outputs +failed/),
  ]);
  expect(out).toMatch(/\n\n1 failed, 21 skipped, because the outputs of the stack are needed\n$/);
});

const queue = (state: Partial<QueueState>): Broken => ({
  inspection: {
    queues: async () => [
      { name: 'EventsQueueUrl', waiting: 3, inFlight: 0, oldestSeconds: undefined, ...state },
    ],
  },
});
const letters = {
  name: 'DeadLetterQueueUrl',
  url: 'q',
  source: undefined,
  queue: {
    count: async () => ({ waiting: 1, inFlight: 1 }),
    receive: async () => [
      { messageId: 'm', body: '', sentAt: noonPlus(-2 * minute), receiveCount: 1, receiptHandle: 'r' },
    ],
    release: async () => undefined,
    move: () => Promise.reject(new Error('not moved')),
  },
};
/** A line of the report: the check, its state, and what it found. */
type Line = readonly [check: string, state: string, found: RegExp];

async function expectLine([check, state, found]: Line, broken: Broken, ...args: readonly string[]) {
  const line = (await pipeline(broken).checks(...args)).get(check);
  expect(line).toMatchObject({ state, found: expect.stringMatching(found) });
  if (state === 'failed') expect(line?.hint).toMatch(/^.{10}/);
}

const by = { state: 'by-hand' } as const;
const off = { state: 'deactivated' } as const;
const drifted = { drift: { kinds: ['secret-rotated'] as const, since: noonPlus(0) } };
const token = (status: number) =>
  describeError({ kind: 'unauthorized', operation: 'exchange token', status, body: '' });
const unreached = describeError({ kind: 'network', operation: 'exchange token', code: 'ENOTFOUND' });
const noKey = 'The secret s with the API key of the SMS service is empty.';
const unread = (serviceFailure: string) => ({ state: 'unknown', serviceFailure }) as const;
const mark = (at: number) => withSecret({ rotating: { since: noonPlus(at), by: 'run' } });
const reconciled = (at: number, failure: string | null) => ({ lastReconcile: { at: noonPlus(at), failure } });

describe('a check of the report', () => {
  it.each<[...Line, Partial<WebhookReport>]>([
    ['api-key', 'failed', /answered 401/, unread(token(401))],
    ['api-key', 'failed', /could not be reached/, unread(unreached)],
    ['api-key', 'failed', /the API key/, unread(noKey)],
    ['api-key', 'skipped', /only lookups use it: the check "lookups" shows whether/, by],
    ['webhook-url', 'skipped', /did not answer/, unread('x')],
    ['webhook-url', 'failed', /^the setup function registers/, { webhookUrl: 'https://other.test' }],
    ['webhook-url', 'failed', /sends no events/, off],
    ['webhook-url', 'warn', /^deactivated by/, { ...off, desiredState: 'deactivated' }],
    ['webhook-url', 'failed', /no webhook/, { state: 'never-configured' }],
    ['webhook-url', 'warn', /secret-rotated/, drifted],
    ['webhook-secret', 'failed', /^none is stored/, withSecret({ stored: false })],
    ['webhook-secret', 'failed', /not the one/, withSecret({ matchesService: false })],
    ['webhook-secret', 'warn', /under way/, mark(0)],
    ['webhook-secret', 'failed', /left unfinished/, mark(-5 * minute)],
    [
      'webhook-secret',
      'ok',
      /accepted for 59 min/,
      withSecret({ previousValidUntil: noonPlus(60 * minute) }),
    ],
    ['reconcile', 'failed', /never registered/, { desiredState: null }],
    ['reconcile', 'warn', /^not yet/, { lastReconcile: null }],
    ['reconcile', 'failed', /^failed .*: timeout/, reconciled(0, 'timeout')],
    ['reconcile', 'failed', /^last 16 min/, reconciled(-16 * minute, null)],
    ['verified', 'warn', /at least 3/, { mismatchesLastHour: 3 }],
    ['verified', 'warn', /no request/, { lastVerifiedAt: null }],
  ])('%s: %s %s', (check, state, found, report) =>
    expectLine([check, state, found], { report: { ...registered, ...report } }, '--no-send'),
  );
});

it('a capture that is on is a warning', async () => {
  const until = async () => noonPlus(3_600_000);
  const connection = { captureSwitch: async () => ({ until, set: notAsked }) };
  expect((await pipeline({ connection }).checks('--no-send')).get('capture')).toMatchObject({
    state: 'warn',
    found: expect.stringContaining('on for another 59 min'),
    hint: expect.stringContaining('sms contract capture off'),
  });
});

const denied = (permission: string) => {
  const text = `User: u is not authorized to perform: ${permission} on resource: r`;
  return () =>
    Promise.reject(Object.assign(new Error(text), { name: 'AccessDeniedException', $metadata: {} }));
};
const seen = (inspection: Partial<Inspection>): Broken => ({ inspection });
const topics = (...found: TopicState[]) => seen({ topics: async () => found });
const unreadStack = seen({ stack: denied('cloudformation:DescribeStacks') });
const probing = (receive: () => Promise<boolean>, remove: () => Promise<void> = async () => undefined) =>
  seen({ probe: async () => ({ receive, remove }) });
const alarmsOn = (...names: string[]) =>
  seen({ alarmsOn: async () => names.map((name) => ({ name, since: null, description: null })) });
const uncountedSince = (at: number): Broken => ({
  connection: {
    recount: async () => ({
      ...fakeRecount().sources,
      oldestUncounted: async () => Date.parse(noonPlus(at)),
    }),
  },
});
const never = async () => false;
const quiet = { terminal: { isWatched: false, err: () => undefined }, clock: () => 0 };

/** As ingest answers an address that is not allowed. */
const addressRefused = recordingPost(403, JSON.stringify({ message: 'Source address not allowed' })).post;

describe('a check', () => {
  it.each<[...Line, Broken, ...string[]]>([
    ['outputs', 'failed', /^there is no stack of a pipeline$/, seen({ stack: async () => undefined })],
    ['outputs', 'failed', /^SmsPipeline lacks ProbeQueueUrl$/, changed({ ProbeQueueUrl: '' })],
    ['outputs', 'failed', /^SmsPipeline lacks ApiId, ListShards$/, changed({ ListShards: '', ApiId: '' })],
    ['outputs', 'failed', /^SmsPipeline is UPDATE_ROLLBACK_C/, changed({}, 'UPDATE_ROLLBACK_COMPLETE')],
    ['outputs', 'failed', /lacks ApiId; SmsPipeline is CREATE_F/, changed({ ApiId: '' }, 'CREATE_FAILED')],
    ['outputs', 'failed', /^SmsPipeline lacks RegisteredUrl$/, changed({ RegisteredUrl: '' })],
    [
      'outputs',
      'failed',
      /^SmsPipeline lacks Registration$/,
      changed({ Registration: '', RegisteredUrl: '' }),
    ],
    ['outputs', 'ok', /^all in SmsPipeline$/, changed({ RegisteredUrl: '', Registration: 'off' })],
    ['outputs', 'ok', /^all in SmsPipeline$/, {}, '--source', 'backup'],
    ['outputs', 'warn', /^SmsPipeline is UPDATE_IN_PROGRESS$/, changed({}, 'UPDATE_IN_PROGRESS')],
    ['outputs', 'failed', /denies you cloudformation:DescribeStacks$/, unreadStack],
    ['queues', 'skipped', /outputs of the stack are needed/, unreadStack],
    ['queues', 'skipped', /outputs of the stack are needed/, seen({ stack: async () => undefined })],
    ['contract', 'failed', /^deployed is other,/, changed({ ContractHash: 'other' })],
    ['contract', 'skipped', /does not name its contract/, changed({ ContractHash: '' })],
    ['contract', 'failed', /^not checked$/, {}, '--contract', 'none.json'],
    ['webhook', 'skipped', /not the deployed one/, changed({ ContractHash: 'other' })],
    [
      'api-key',
      'failed',
      /denies you lambda:Invoke$/,
      { connection: { invokeSetup: denied('lambda:Invoke') } },
    ],
    ['verified', 'skipped', /gave no report/, { connection: { invokeSetup: denied('lambda:Invoke') } }],
    ['queues', 'ok', /^EventsQueueUrl: 3 waiting/, queue({ oldestSeconds: 20 })],
    ['queues', 'failed', /the oldest for 5 min/, queue({ oldestSeconds: 300 })],
    ['queues', 'warn', /20000 waiting/, queue({ waiting: 20_000, oldestSeconds: 20 })],
    ['queues', 'warn', /0 waiting, 500 in flight: it is not known/, queue({ waiting: 0, inFlight: 500 })],
    ['queues', 'ok', /500 in flight/, queue({ waiting: 0, inFlight: 500 }), '--local'],
    [
      'dead-letters',
      'failed',
      /: 2 messages, since 2 min/,
      { connection: { deadLetterQueues: async () => [letters] } },
    ],
    ['counters', 'ok', /^every change/, {}],
    ['counters', 'ok', /made \d+ s ago$/, uncountedSince(-minute / 2)],
    ['counters', 'failed', /made 6 min.* ago$/, uncountedSince(-6 * minute)],
    ['counters', 'skipped', /^insights is off/, changed({ InsightsTableName: '' })],
    ['alarms', 'failed', /^QueueBehind; InsightsBehind$/, alarmsOn('QueueBehind', 'InsightsBehind')],
    ['alarms', 'skipped', /this machine/, alarmsOn('QueueBehind'), '--local'],
    ['topics', 'warn', /^no alarm/, topics(topic('NoticesTopicArn'))],
    ['topics', 'skipped', /this machine/, topics(), '--local'],
    [
      'topics',
      'failed',
      /no confirmed subscription, 1 p/,
      topics(topic('ATopicArn', { confirmed: 0, pending: 1 })),
    ],
    ['topics', 'failed', /alias\/aws\/sns/, topics(topic('PageTopicArn', { key: 'alias/aws/sns' }))],
    ['topics', 'ok', /Optout/, topics(alarmTopic, topic('OptoutTopicArn', { key: 'alias/aws/sns' }))],
    ['topics', 'warn', /^no alarm/, topics(topic('FailureAlertTopicArn'))],
    ['topics', 'failed', /does not exist/, topics({ ...alarmTopic, settings: undefined })],
    ['test-alarm', 'skipped', /no alarms/, {}, '--test-alarm', '--local'],
    ['test-page', 'skipped', /^pages go to AlarmTopicArn/, {}, '--test-alarm'],
    ['webhook', 'skipped', /--no-send/, {}, '--no-send'],
    ['webhook', 'failed', /^not checked/, { parts: { post: recordingPost(401).post } }],
    ['webhook', 'ok', /not in sms:allowedSourceIps. That is right/, { parts: { post: addressRefused } }],
    ['history', 'skipped', /accepts no event of this machine/, { parts: { post: addressRefused } }],
    ['webhook', 'failed', /^not checked/, { parts: { post: recordingPost(403, 'Forbidden').post } }],
    ['clean-up', 'skipped', /no event was accepted/, { parts: { post: recordingPost(503).post } }],
    ['history', 'failed', /^not within 5.0 s/, probing(never), '--wait', '5'],
    ['bus', 'failed', /denies you sqs:ReceiveMessage$/, probing(denied('sqs:ReceiveMessage')), '--wait', '5'],
    ['bus', 'skipped', /^nothing is published/, probing(never), '--wait', '5'],
    ['clean-up', 'warn', /may still arrive/, probing(never), '--wait', '5'],
    [
      'clean-up',
      'failed',
      /dynamodb:DeleteItem$/,
      probing(never, denied('dynamodb:DeleteItem')),
      '--wait',
      '5',
    ],
  ])('%s: %s %s', (check, state, found, broken, ...args) =>
    expectLine([check, state, found], broken, ...args),
  );

  it('that takes too long fails, and stops no other', async () => {
    const ended = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    const slow = { name: 'slow', limitMs: 1, run: () => new Promise<never>(() => undefined) };
    const timeout = () => {
      const controller = new AbortController();
      queueMicrotask(() => controller.abort(ended.reason));
      return controller.signal;
    };
    const { checks } = await runChecks([slow], quiet, timeout);
    expect(checks).toEqual([
      {
        check: 'slow',
        state: 'failed',
        found: 'not checked',
        hint: expect.stringContaining('No answer in time'),
      },
    ]);
  });
});

it('shows how many checks have ended while it takes longer than two seconds', async () => {
  const err: string[] = [];
  let seconds = 0;
  const watched = {
    terminal: { isWatched: true, err: (text: string) => err.push(text) },
    clock: () => seconds * 1000,
  };
  const check = (name: string, second: number) => ({
    name,
    limitMs: 60_000,
    run: async () => {
      seconds = second;
      return { state: 'ok', found: '' } as const;
    },
  });
  await runChecks([check('quick', 1), check('slow', 4)], watched);
  expect(err.join('')).toMatch(/^Checking: [12] of about 2 checks/);
});

it.each([
  [10, 'warn'],
  [99, 'warn'],
  [1000, 'ok'],
])('an account in which Lambda runs %i functions at once is worth: %s', async (limit, state) => {
  const { checks } = pipeline({ inspection: { maxConcurrency: async () => limit } });
  const check = (await checks('--no-send')).get('concurrency');
  expect(check).toMatchObject({
    state,
    found: expect.stringContaining(`at most ${formatCount(limit, 'function')}`),
  });
});

describe('--test-alarm', () => {
  const pageTopic = topic('PageTopicArn');
  const alarm = (name: string, { arn }: TopicState, isOn = false) => ({ name, topicArns: [arn], isOn });
  const ticket = alarm('mine-ticket', alarmTopic);
  const page = alarm('mine-page', pageTopic);
  const on = { ...page, isOn: true };
  const named = { TicketAlarmNames: 'mine-ticket', PageAlarmNames: 'mine-page,mine-second' };
  const accepted = 'Successfully executed action';

  it.each([
    ['ok', 'PageTopicArn accepted mine-page', [ticket, page], accepted, named],
    // An alarm that is on runs no action.
    ['ok', 'accepted mine-second', [ticket, on, { ...page, name: 'mine-second' }], accepted, named],
    ['warn', 'not tried, because mine-page are on', [ticket, on], accepted, named],
    ['failed', 'PageTopicArn: Failed to execute', [ticket, page], 'Failed to execute', named],
    ['failed', 'PageTopicArn: CloudWatch recorded no', [ticket, page], undefined, named],
    ['failed', 'PageTopicArn: not tried', [ticket], accepted, named],
    ['failed', 'PageTopicArn: not tried', [ticket, page], accepted, {}],
  ] as const)(
    'tries each topic by an alarm of the pipeline: pages are %s, %s',
    async (state, found, own, summary, outputs) => {
      const setOff: string[] = [];
      // The first by name belongs to another pipeline or to the user.
      const all = [alarm('all-foreign', pageTopic), ...own];
      const alarms = {
        read: async (names: readonly string[]) => all.filter(({ name }) => names.includes(name)),
        setOff: async (name: string) => void setOff.push(name),
        // An earlier test left a record, and the clock of CloudWatch is behind.
        actions: async (name: string, since: number) => {
          expect(since).toBeLessThan(Date.parse(noonPlus(0)) - minute);
          const [arn] = all.find((one) => one.name === name)?.topicArns ?? [];
          const text = name === ticket.name ? accepted : summary;
          const record = (text: string) => ({ summary: `${text} ${arn}`, hasSucceeded: text === accepted });
          return [...(setOff.includes(name) && text !== undefined ? [record(text)] : []), record(accepted)];
        },
      };
      const checks = await pipeline({
        inspection: {
          alarms: async () => alarms,
          topics: async () => [alarmTopic, pageTopic],
          stack: async () => stackWith(outputs),
        },
      }).checks('--test-alarm', '--no-send');
      expect(checks.get('test-page')).toMatchObject({ state, found: expect.stringContaining(found) });
      expect(checks.get('test-alarm')?.state).toBe('TicketAlarmNames' in outputs ? 'ok' : 'failed');
      expect(setOff).not.toContain('all-foreign');
    },
  );
});
