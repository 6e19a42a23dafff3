import { expect, it } from 'vitest';
import { omitUndefined } from '../../../../../functions/base/basics.ts';
import { healthSchema } from '../../../../../functions/query/api/views/console-schemas.ts';
import {
  type DeployedParts,
  type DeployedSource,
  deployedHealth,
} from '../../../../../functions/query/console/deployed-health.ts';
import { createHealthReader } from '../../../../../functions/query/console/read-health.ts';

const start = Date.parse('2026-01-15T12:00:00.000Z');
const at = (secondsAgo: number) => new Date(start - secondsAgo * 1000).toISOString();

const main: DeployedSource = {
  source: 'main',
  state: {
    read: async () => ({
      desiredState: 'registered',
      lastReconcile: { at: at(60) },
      lastVerifiedAt: at(30),
    }),
    mismatchesLastHour: async () => 0,
  },
  countEvents: async () => ({ name: 'EventsQueueUrl', waiting: 2, inFlight: 1 }),
  countDeadLetters: async () => ({ name: 'DeadLetterQueueUrl', waiting: 0, inFlight: 0 }),
  isRegistering: true,
};

type Changed = Partial<Omit<DeployedParts, 'sources'> & Omit<DeployedSource, 'source'>>;

function partsWith(
  { readAlarms, readDrift, clock, ...ofMain }: Changed = {},
  ...further: readonly DeployedSource[]
): DeployedParts {
  return {
    sources: [{ ...main, ...ofMain }, ...further],
    readAlarms: async () => [],
    readDrift: async () => undefined,
    clock: () => start,
    ...omitUndefined({ readAlarms, readDrift, clock }),
  };
}

async function statesOf(parts: DeployedParts) {
  const health = await createHealthReader(deployedHealth(parts))();
  expect(healthSchema.parse(health)).toEqual(health);
  return Object.fromEntries(health.checks.map(({ check, state }) => [check, state]));
}

it('judges what it may read, and says which command shows the rest', async () => {
  expect(await statesOf(partsWith())).toEqual({
    'webhook-url': 'skipped',
    reconcile: 'ok',
    verified: 'ok',
    queues: 'ok',
    'dead-letters': 'ok',
    'api-key': 'skipped',
    'webhook-secret': 'skipped',
    alarms: 'ok',
    'contract-drift': 'ok',
    database: 'ok',
  });
  const { checks } = await createHealthReader(deployedHealth(partsWith()))();
  for (const { state, found } of checks) if (state === 'skipped') expect(found).toContain('sms ');
});

it('shows the webhook and the queues of every source', async () => {
  const backup: DeployedSource = {
    source: 'backup',
    state: {
      read: async () => ({ desiredState: 'registered', lastReconcile: { at: at(60), failure: 'timeout' } }),
      mismatchesLastHour: async () => 0,
    },
    countEvents: async () => ({ name: 'SourceBackupEventsQueueUrl', waiting: 0, inFlight: 0 }),
    countDeadLetters: async () => ({ name: 'SourceBackupDeadLetterQueueUrl', waiting: 4, inFlight: 0 }),
    isRegistering: true,
  };
  const { checks, healthy, queues } = await createHealthReader(deployedHealth(partsWith({}, backup)))();
  expect(healthy).toBe(false);
  expect(queues?.map(({ name }) => name)).toEqual(['EventsQueueUrl', 'SourceBackupEventsQueueUrl']);
  expect(checks).toContainEqual(
    expect.objectContaining({
      check: 'dead-letters',
      state: 'failed',
      found: 'SourceBackupDeadLetterQueueUrl: 4 messages',
    }),
  );
  expect(checks).toContainEqual(
    expect.objectContaining({
      check: 'source-backup',
      state: 'failed',
      found: expect.stringContaining('reconcile: failed'),
      hint: expect.stringContaining('sms webhook reconcile --source backup'),
    }),
  );
});

it('shows dead letters, a failed comparison and a changed webhook', async () => {
  const states = await statesOf(
    partsWith({
      countDeadLetters: async () => ({ name: 'DeadLetterQueueUrl', waiting: 3, inFlight: 0 }),
      state: {
        read: async () => ({
          desiredState: 'registered',
          lastReconcile: { at: at(60), failure: 'timeout' },
          drift: { kinds: ['url-changed'], since: at(90) },
        }),
        mismatchesLastHour: async () => 4,
      },
    }),
  );
  expect(states).toMatchObject({
    'dead-letters': 'failed',
    reconcile: 'failed',
    'webhook-url': 'warn',
    verified: 'warn',
  });
});

it('shows the alarms that are on, and what cannot be read', async () => {
  const alarm = { name: 'SmsPipeline-QueueBehind', since: at(90), description: 'Events wait.' };
  const parts = partsWith({ readAlarms: async () => [alarm] });
  const { alarms, healthy, checks } = await createHealthReader(deployedHealth(parts))();
  expect([alarms, healthy]).toEqual([[alarm], false]);
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'alarms', state: 'failed', found: alarm.name }),
  );
  const denied = partsWith({ readAlarms: () => Promise.reject(new TypeError('denied')) });
  expect(await statesOf(denied)).toMatchObject({ alarms: 'failed', queues: 'ok' });
  expect((await createHealthReader(deployedHealth(denied))()).alarms).toBeNull();
});

it('shows where events of today differ from the contract, without their shape', async () => {
  const found = {
    kind: 'status',
    field: 'events.status.status',
    expected: 'a word',
    found: 'string',
  } as const;
  const mismatch = { ...found, word: 'held', foundAt: at(90) };
  const asked: string[] = [];
  const readDrift = async (day: string) => {
    asked.push(day);
    return { day, mismatches: new Map([['a', { ...mismatch, shape: '{}' }]]) };
  };
  const { contractDrift, checks, healthy } = await createHealthReader(
    deployedHealth(partsWith({ readDrift })),
  )();
  expect([contractDrift, healthy]).toEqual([{ day: '2026-01-15', mismatches: [mismatch] }, true]);
  expect(asked).toEqual(['2026-01-15']);
  expect(checks).toContainEqual(expect.objectContaining({ check: 'contract-drift', state: 'warn' }));
});

it('says which part could not be read, and reads the others', async () => {
  const health = await createHealthReader(
    deployedHealth(partsWith({ countEvents: () => Promise.reject(new TypeError('no queue')) })),
  )();
  expect([health.healthy, health.queues, health.deadLetters?.length]).toEqual([false, null, 1]);
  expect(health.checks.find(({ check }) => check === 'queues')?.found).toBe('not checked: TypeError');
});

it('names a database that does not answer, and judges nothing by it', async () => {
  const timeout = () => Promise.reject(Object.assign(new Error('late'), { name: 'TimeoutError' }));
  const state = { read: timeout, mismatchesLastHour: timeout };
  const health = await createHealthReader(deployedHealth(partsWith({ readDrift: timeout, state })))();
  expect(health.checks.find(({ check }) => check === 'database')).toMatchObject({
    state: 'failed',
    found: 'it does not answer (TimeoutError)',
  });
  const states = Object.fromEntries(health.checks.map(({ check, state }) => [check, state]));
  expect(states).toMatchObject({ reconcile: 'skipped', 'contract-drift': 'skipped', queues: 'ok' });

  const denied = () => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
  expect(await statesOf(partsWith({ readDrift: denied }))).toMatchObject({
    database: 'skipped',
    'contract-drift': 'failed',
  });
});

it('is read again after half a minute', async () => {
  let now = start;
  let reads = 0;
  const countEvents = async () => ({ name: 'EventsQueueUrl', waiting: reads++, inFlight: 0 });
  const read = createHealthReader(deployedHealth(partsWith({ clock: () => now, countEvents })));
  await Promise.all([read(), read()]);
  now += 29_999;
  await read();
  expect(reads).toBe(1);
  now += 1;
  await read();
  expect(reads).toBe(2);
});
