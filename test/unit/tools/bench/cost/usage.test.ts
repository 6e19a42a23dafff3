import { describe, expect, it } from 'vitest';
import { variationsOf } from '../../../../../tools/bench/cost/scenario.ts';
import {
  batchesAt,
  billedMs,
  openBatchPerEvent,
  usagePerEvent,
  usagePerMonth,
} from '../../../../../tools/bench/cost/usage.ts';
import { model, scenario } from './figures.ts';

describe('batches', () => {
  it('collect the events of the window, shared among five pollers and two lanes', () => {
    expect(batchesAt(50, scenario)).toEqual({ worker: 11, publisher: 26 });
  });

  it('do not gather without a window, and a poll of the stream brings what a quarter of a second brought', () => {
    const worker = { ...scenario.worker, batchSize: 10, windowSeconds: 0 };
    const eager = { ...scenario, worker, publisher: { ...scenario.publisher, windowSeconds: 0 } };
    expect(batchesAt(0, eager)).toEqual({ worker: 1, publisher: 1 });
    expect(batchesAt(400, eager)).toEqual({ worker: 1, publisher: expect.closeTo(50) });
    expect(batchesAt(1000, eager)).toEqual({ worker: 1, publisher: 100 });
  });
});

describe('the billed duration', () => {
  it('is CPU time at the share of a vCPU that the memory buys, and a wait for each round of calls', () => {
    const { worker } = model.functions;
    expect(billedMs(worker, 1, 1769, 32)).toBe(3 + 10);
    expect(billedMs(worker, 1, 884.5, 32)).toBe(6 + 10);
    expect(billedMs(worker, 1, 3538, 32)).toBe(3 + 10);
    expect(billedMs(worker, 33, 1769, 32)).toBe(35 + 20);
  });
});

describe('what an event uses', () => {
  it('is one of each unit when events arrive one by one', () => {
    expect(usagePerEvent(model, scenario, 0)).toMatchObject({
      ...{ httpApiRequests: 1, lambdaRequests: 3, sqsRequests: 3, eventBridgeEvents: 1 },
      ...{ dynamoDbWriteUnits: 2.5, traces: 0 },
    });
  });

  it('shares receives, deletes and invocations when events arrive together', () => {
    // Eleven to a batch of the worker: two receives, and a delete for each ten.
    const { sqsRequests, lambdaRequests } = usagePerEvent(model, scenario, 50);
    expect(sqsRequests).toBeCloseTo(1 + (2 + 1.1) / 11);
    expect(lambdaRequests).toBeCloseTo(1 + 1 / 11 + 1 / 26);
  });

  it('keeps for as long as the retention says, with backups of the table alone', () => {
    const { dynamoDbStorage, dynamoDbBackup } = usagePerEvent(model, scenario, 50);
    expect(dynamoDbStorage).toBeCloseTo((500 / 1e9) * 12, 15);
    expect(dynamoDbBackup).toBeCloseTo((300 / 1e9) * 12, 15);
  });

  it('notes open messages by batch: an item for each batch that has one, of more units if it is large', () => {
    const openBatches = { messagesPerEvent: 0.5, ownBytes: 74, messageBytes: 20 };
    const units = (events: number) => openBatchPerEvent({ ...model, openBatches }, events).writeUnits;
    expect(units(1)).toBeCloseTo(0.5);
    expect(units(2)).toBeCloseTo(0.75 / 2);
    expect(units(80)).toBeCloseTo(1 / 80);
    expect(units(150)).toBeCloseTo(2 / 150);
  });
});

describe('settings', () => {
  const of = (name: string, perSecond = 50) => {
    const [, changed] = variationsOf(scenario).find(([title]) => title.startsWith(name)) ?? [];
    if (changed === undefined) throw new Error(`no variation ${name}`);
    return { event: usagePerEvent(model, changed, perSecond), month: usagePerMonth(model, changed) };
  };
  const base = { event: usagePerEvent(model, scenario, 50), month: usagePerMonth(model, scenario) };

  it.each([
    ['retentionDays=30', 'dynamoDbStorage', 30 / 365],
    ['everyEvent=on', 'eventBridgeEvents', 2],
    ['recoveryDays=0', 'dynamoDbBackup', 0],
    ['historyTableClass=infrequent-access', 'dynamoDbStorage', 0.4],
    ['historyTableClass=infrequent-access', 'dynamoDbWriteUnits', 1.25],
  ] as const)('%s makes %s so many times as much: %d', (name, billable, times) => {
    expect(of(name).event[billable]).toBeCloseTo((base.event[billable] ?? 0) * times, 15);
  });

  it.each([
    ['forwardUrl: an invocation more', 'lambdaRequests', 1],
    ['forwardUrl: three requests more', 'sqsRequests', 3],
    ['accessLog=off: a line less, with 26 bytes of overhead', 'logsIngested', -126e-9],
  ] as const)('%s', (title, billable, difference) => {
    const [name = ''] = title.split(':');
    expect((of(name).event[billable] ?? 0) - (base.event[billable] ?? 0)).toBeCloseTo(difference, 15);
  });

  it('tracing records all that is alone, and a twentieth of a crowd', () => {
    expect(of('tracing=on', 0).event.traces).toBe(3);
    expect(of('tracing=on', 1e6).event.traces).toBeLessThan(0.06);
  });

  it.each([
    ['encryptionKey=customer', { keys: 1 }],
    ['dashboard=off', { dashboards: 0 }],
    ['accessLog=off', { alarms: 19 }],
    ['forwardUrl', { secrets: 3 }],
  ])('%s changes the costs of the month', (name, fixed) => {
    expect(base.month).toMatchObject({ keys: 0, keyRequests: 0, dashboards: 1, alarms: 20, secrets: 2 });
    expect(of(name).month).toMatchObject(fixed);
  });
});

it('a month without events polls its queues: five polls of 20 seconds each, all the time', () => {
  expect(usagePerMonth(model, scenario).sqsRequests).toBe(2 * 5 * 131_400);
});
