import { describe, expect, it } from 'vitest';
import { lineOverheadBytes } from '../../../../../tools/bench/cost/log-bytes.ts';
import { variationsOf } from '../../../../../tools/bench/cost/scenario.ts';
import { batchesAt, billedMs, usagePerEvent, usagePerMonth } from '../../../../../tools/bench/cost/usage.ts';
import { model, scenario } from './figures.ts';

describe('batches', () => {
  it('collect the events of the window, shared among five pollers and two lanes', () => {
    expect(batchesAt(50, scenario)).toEqual({ worker: 11, publisher: 26 });
  });

  it('do not gather without a window', () => {
    const eager = { ...scenario, worker: { ...scenario.worker, batchSize: 10, windowSeconds: 0 } };
    expect(batchesAt(1000, eager).worker).toBe(1);
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
});

describe('settings', () => {
  const of = (name: string, perSecond = 50) => {
    const found = variationsOf(scenario).find((each) => each.name.startsWith(name));
    if (found === undefined) throw new Error(`no variation ${name}`);
    return {
      event: usagePerEvent(model, found.scenario, perSecond),
      month: usagePerMonth(model, found.scenario),
    };
  };
  const base = { event: usagePerEvent(model, scenario, 50), month: usagePerMonth(model, scenario) };

  it.each([
    ['retentionDays=30', 'dynamoDbStorage', 30 / 365],
    ['everyEvent=on', 'eventBridgeEvents', 2],
    ['without point-in-time recovery', 'dynamoDbBackup', 0],
    ['table class Standard-IA', 'dynamoDbStorage', 0.4],
    ['table class Standard-IA', 'dynamoDbWriteUnits', 1.25],
  ] as const)('%s makes %s so many times as much: %d', (name, billable, times) => {
    expect(of(name).event[billable]).toBeCloseTo((base.event[billable] ?? 0) * times, 15);
  });

  it('forwarding adds an invocation and three requests for each event', () => {
    const { event, month } = of('forwardUrl');
    expect((event.lambdaRequests ?? 0) - (base.event.lambdaRequests ?? 0)).toBeCloseTo(1);
    expect((event.sqsRequests ?? 0) - (base.event.sqsRequests ?? 0)).toBeCloseTo(3);
    expect(month.secrets).toBe(3);
  });

  it('without the access log each event writes a line less, and an alarm less costs', () => {
    const { event, month } = of('accessLog=off');
    const line = scenario.logs.accessLogFormat.length + lineOverheadBytes;
    expect((base.event.logsIngested ?? 0) - (event.logsIngested ?? 0)).toBeCloseTo(line / 1e9, 15);
    expect(month.alarms).toBe((base.month.alarms ?? 0) - 1);
    const names = variationsOf({ ...scenario, logs: { ...scenario.logs, accessLogFormat: '' } });
    expect(names.map(({ name }) => name)).not.toContain('accessLog=off');
  });

  it('tracing records all that is alone, and a twentieth of a crowd', () => {
    expect(of('tracing=on', 0).event.traces).toBe(3);
    expect(of('tracing=on', 1e6).event.traces).toBeLessThan(0.06);
  });

  it('a key and the dashboard cost by the month', () => {
    expect(of('encryptionKey=customer').month).toMatchObject({ keys: 1 });
    expect(of('dashboard=off').month).toMatchObject({ dashboards: 0 });
    expect(base.month).toMatchObject({ keys: 0, keyRequests: 0, dashboards: 1, alarms: 20 });
  });

  it('that are set already, or that the sample has measured, are left out', () => {
    const names = (changes: object) => variationsOf({ ...scenario, ...changes }).map(({ name }) => name);
    expect(names({ retentionDays: 30 })).not.toContain('retentionDays=30');
    expect(names({ retentionDays: 30 })).toContain('retentionDays=90');
    const left = names({ measured: ['everyEvent', 'forwardUrl'] });
    expect(left.filter((name) => /everyEvent|forwardUrl/.test(name))).toEqual([]);
    expect(left).toHaveLength(names({}).length - 2);
  });
});

it('a month without events polls its queues: five polls of 20 seconds each, all the time', () => {
  expect(usagePerMonth(model, scenario).sqsRequests).toBe(2 * 5 * 131_400);
});
