import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costModel, partsOf } from '../../../../../tools/bench/cost/model.ts';
import { assertProperty } from '../../../../support/property.ts';
import { counted, sample } from './figures.ts';

const work = (invocations: number, cpuMs: number) => ({ invocations, cpuMs });

describe('the cost of an invocation and of an event', () => {
  it('is computed from full batches and single events', () => {
    const amount = fc.double({ min: 0.01, max: 100, noNaN: true });
    assertProperty(
      fc.property(amount, amount, fc.integer({ min: 2, max: 100 }), (perInvocation, perEvent, batch) => {
        const parts = partsOf(
          [work(10, 10 * perInvocation + 10 * batch * perEvent), 10 * batch],
          [work(30, 30 * perInvocation + 30 * perEvent), 30],
        );
        expect(parts.perInvocation).toBeCloseTo(perInvocation, 5);
        expect(parts.perEvent).toBeCloseTo(perEvent, 5);
      }),
    );
  });

  it('is never below zero, and explains the full batches all the same', () => {
    expect(partsOf([work(10, 1000), 1000], [work(30, 3), 30])).toEqual({ perInvocation: 0, perEvent: 1 });
    expect(partsOf([work(10, 100), 1000], [work(30, 600), 30])).toEqual({ perInvocation: 10, perEvent: 0 });
    expect(partsOf([work(10, 100), 10], [work(30, 300), 30])).toEqual({ perInvocation: 10, perEvent: 0 });
  });
});

describe('the model of a sample', () => {
  const model = costModel(sample);

  it('has what each function takes: its CPU time, what it waits for, what it logs', () => {
    expect(model.functions.ingest.cpuMs).toEqual({ perInvocation: 2, perEvent: 0 });
    expect(model.functions.worker.cpuMs.perInvocation).toBeCloseTo(2);
    expect(model.functions.worker.cpuMs.perEvent).toBeCloseTo(1);
    expect(model.functions.ingest.waitMs).toBeCloseTo(5);
    expect(model.functions.worker.waitMs).toBeCloseTo(10);
    expect(model.functions.worker.ownLines).toEqual({ bytes: 300, lines: 1 });
    expect(model.functions.ingest.ownLines).toEqual({ bytes: 0, lines: 0 });
  });

  it('has the units of an event, without the calls of others', () => {
    expect(model.event).toMatchObject({
      ...{ apiRequests: 1, sqsSends: 1, publishedEvents: 1, publishedBytes: 500, readUnits: 0 },
      writeUnits: 3500 / 1500,
      writeUnitsBy: { table: 1, byPhone: 1 / 3, byWorklist: 2 / 3, bySend: 1 / 3 },
      tableBytes: (350_000 + 500 * 100) / 1500,
      indexBytes: (100_000 + 1000 * 100) / 1500,
    });
    expect(model.metrics).toBe(2);
  });

  it('counts a failed condition, and a write that changed nothing, as a unit', () => {
    const counters = counted(1000, 10);
    const calls = counters.calls.map((call) =>
      call.caller === 'worker' ? { ...call, calls: 1300, failed: 200 } : call,
    );
    const busy = { ...sample.busy, counters: { ...counters, calls } };
    expect(costModel({ ...sample, busy }).event.writeUnits).toBeCloseTo(3500 / 1500 + 0.2 + 0.1);
  });

  it('begins a further API request with each 512 KB', () => {
    const busy = { ...sample.busy, requestBytes: 600_000 * 1000 };
    expect(costModel({ ...sample, busy }).event.apiRequests).toBe(2);
  });

  it('rejects a sample in which a function was not invoked', () => {
    const { worker: _, ...functions } = sample.busy.counters.functions;
    const busy = { ...sample.busy, counters: { ...sample.busy.counters, functions } };
    expect(() => costModel({ ...sample, busy })).toThrow('worker was not invoked');
  });
});
