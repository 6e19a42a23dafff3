import { describe, expect, it } from 'vitest';
import {
  type CommandLineParts,
  commandLineHealth,
} from '../../../../../cli/commands/console/command-line-health.ts';
import type { NotedMismatch } from '../../../../../contract/drift/drift-watch.ts';
import { healthSchema } from '../../../../../functions/query/api/views/console-schemas.ts';
import { createHealthReader } from '../../../../../functions/query/console/read-health.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');

const report = {
  webhookUrl: 'https://a.example/webhooks/sms',
  registeredUrl: 'https://a.example/webhooks/sms',
  state: 'registered',
  serviceFailure: null,
  desiredState: 'registered',
  drift: null,
  secret: {
    stored: true,
    matchesService: true,
    since: '2026-01-01T00:00:00.000Z',
    previousValidUntil: null,
    rotating: null,
  },
  lastReconcile: { at: '2026-01-15T11:58:00.000Z', failure: null },
  lastVerifiedAt: '2026-01-15T11:59:00.000Z',
  mismatchesLastHour: 0,
  captureUntil: null,
};

const mismatch: NotedMismatch = {
  kind: 'status',
  field: 'events.status.status',
  expected: 'a word',
  found: 'string',
  word: 'lost',
  shape: '{}',
  foundAt: '2026-01-15T11:00:00.000Z',
};

const asked: string[] = [];
const parts: CommandLineParts = {
  target: { local: false },
  clock: () => now,
  connectSource: () => ({
    webhookUrl: async () => report.webhookUrl,
    invokeSetup: async () => ({ ...report, secret: { ...report.secret, matchesService: false } }),
  }),
  connection: {
    sources: async () => ['main'],
    webhookUrl: async () => report.webhookUrl,
    invokeSetup: async ({ action }) => {
      asked.push(action);
      return report;
    },
    drift: async () => async (days) => days.map((day) => ({ day, mismatches: new Map([['a', mismatch]]) })),
    deadLetterQueues: async () => [],
    inspection: async () => ({
      stack: async () => undefined,
      topics: async () => [],
      queues: async () => [{ name: 'EventsQueueUrl', waiting: 0, inFlight: 0, oldestSeconds: undefined }],
      alarms: () => Promise.reject(new Error('not read')),
      alarmsOn: async () => [{ name: 'QueueBehind', since: '2026-01-15T11:00:00.000Z', description: null }],
      probe: () => Promise.reject(new Error('no test event')),
      maxConcurrency: () => Promise.reject(new Error('not read')),
    }),
  },
};

describe('the health of a pipeline', () => {
  it('has every part, and what the doctor says of it', async () => {
    const health = await createHealthReader(commandLineHealth(parts))();
    expect(healthSchema.parse(health)).toEqual(health);
    expect(health.webhook?.lastVerifiedAt).toBe('2026-01-15T11:59:00.000Z');
    expect(health.contractDrift).toMatchObject({ day: '2026-01-15', mismatches: [{ word: 'lost' }] });
    expect(health.alarms).toHaveLength(1);
    const states = Object.fromEntries(health.checks.map(({ check, state }) => [check, state]));
    expect(states).toEqual({
      'api-key': 'ok',
      'webhook-url': 'ok',
      'webhook-secret': 'ok',
      reconcile: 'ok',
      verified: 'ok',
      queues: 'ok',
      'dead-letters': 'ok',
      alarms: 'failed',
      'contract-drift': 'warn',
      database: 'ok',
    });
    expect(health.healthy).toBe(false);
  });

  it('has a check for each other source, with its name in what to do', async () => {
    const connection = { ...parts.connection, sources: async () => ['main', 'backup'] };
    const health = await createHealthReader(commandLineHealth({ ...parts, connection }))();
    expect(health.checks).toContainEqual({
      check: 'source-backup',
      state: 'failed',
      found: expect.stringContaining('webhook-secret: '),
      hint: expect.stringContaining('--source backup'),
    });
    const one = { ...parts, connection, target: { local: false, source: 'backup' } };
    const { checks } = await createHealthReader(commandLineHealth(one))();
    expect(checks.map(({ check }) => check)).not.toContain('source-backup');
  });

  it('says that the sources could not be read, and reads the others', async () => {
    const connection = { ...parts.connection, sources: () => Promise.reject(new Error('no stack')) };
    const health = await createHealthReader(commandLineHealth({ ...parts, connection }))();
    expect(health.checks).toContainEqual(expect.objectContaining({ check: 'sources', state: 'failed' }));
    expect(health.queues).toHaveLength(1);
  });

  it('says which part could not be read, and reads the others', async () => {
    const denied = Object.assign(
      new Error('User is not authorized to perform: lambda:InvokeFunction on it'),
      {
        name: 'AccessDeniedException',
      },
    );
    const connection = { ...parts.connection, invokeSetup: () => Promise.reject(denied) };
    const health = await createHealthReader(commandLineHealth({ ...parts, connection }))();
    expect(health.webhook).toBeNull();
    expect(health.queues).toHaveLength(1);
    expect(health.checks[1]).toMatchObject({
      check: 'api-key',
      state: 'failed',
      found: expect.stringContaining('lambda:InvokeFunction'),
    });
  });

  it('has no alarms on one machine', async () => {
    const health = await createHealthReader(commandLineHealth({ ...parts, target: { local: true } }))();
    expect(health.alarms).toBeNull();
    expect(health.checks.map(({ check }) => check)).not.toContain('alarms');
  });

  it('is read at most twice a minute', async () => {
    let time = now;
    const read = createHealthReader(commandLineHealth({ ...parts, clock: () => time }));
    asked.length = 0;
    await Promise.all([read(), read()]);
    time += 29_999;
    await read();
    expect(asked).toHaveLength(1);
    time += 1;
    await read();
    expect(asked).toHaveLength(2);
  });
});
