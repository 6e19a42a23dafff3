import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costModel, partsOf } from '../../../../../tools/bench/cost/model.ts';
import { assertProperty } from '../../../../support/property.ts';
import { counted, sample } from './figures.ts';

const work = (invocations: number, events: number, cpuMs: number) => ({ invocations, events, cpuMs });

describe('the cost of an invocation and of an event', () => {
  it('is computed from full batches and single events', () => {
    const amount = fc.double({ min: 0.01, max: 100, noNaN: true });
    assertProperty(
      fc.property(amount, amount, fc.integer({ min: 2, max: 100 }), (perInvocation, perEvent, batch) => {
        const parts = partsOf(
          work(10, 10 * batch, 10 * perInvocation + 10 * batch * perEvent),
          work(30, 30, 30 * perInvocation + 30 * perEvent),
        );
        expect(parts.perInvocation).toBeCloseTo(perInvocation, 5);
        expect(parts.perEvent).toBeCloseTo(perEvent, 5);
      }),
    );
  });

  it('is never below zero, and explains the full batches all the same', () => {
    expect(partsOf(work(10, 1000, 1000), work(30, 30, 3))).toEqual({ perInvocation: 0, perEvent: 1 });
    expect(partsOf(work(10, 1000, 100), work(30, 30, 600))).toEqual({ perInvocation: 10, perEvent: 0 });
    expect(partsOf(work(10, 10, 100), work(30, 30, 300))).toEqual({ perInvocation: 10, perEvent: 0 });
  });
});

describe('the model of a sample', () => {
  it('has what each function takes: its CPU time, what it waits for, what it logs', () => {
    const { ingest, worker } = costModel(sample).functions;
    expect(ingest.cpuMs).toEqual({ perInvocation: 2, perEvent: 0 });
    expect(worker.cpuMs.perInvocation).toBeCloseTo(2);
    expect(worker.cpuMs.perEvent).toBeCloseTo(1);
    expect([ingest.waitMs, worker.waitMs]).toEqual([5, 10]);
    expect(worker.ownLines).toEqual({ bytes: 300, lines: 1 });
    expect(ingest.ownLines).toEqual({ bytes: 0, lines: 0 });
  });

  it('has the units of an event, without the calls of others', () => {
    expect(costModel(sample).event).toMatchObject({
      ...{ sqsSends: 1, publishedEvents: 1, publishedBytes: 500, readUnits: 0 },
      writeUnits: 3500 / 1500,
      writeUnitsBy: { table: 1, byPhone: 1 / 3, byWorklist: 2 / 3, bySend: 1 / 3 },
      tableBytes: (350_000 + 500 * 100) / 1500,
      indexBytes: (100_000 + 1000 * 100) / 1500,
    });
  });

  it('counts a failed condition, and a write that changed nothing, as a unit', () => {
    const counters = new Map([
      ...counted(1000, 10),
      ['worker UpdateItem calls', 1300],
      ['worker UpdateItem failed', 200],
    ] as const);
    const busy = { ...sample.busy, counters };
    expect(costModel({ ...sample, busy }).event.writeUnits).toBeCloseTo(3500 / 1500 + 0.2 + 0.1);
  });

  it('rejects a sample in which a function was not invoked', () => {
    const alone = { events: 30, counters: new Map([...counted(30, 30), ['worker invocations', 0] as const]) };
    expect(() => costModel({ ...sample, alone })).toThrow('worker was not invoked');
  });
});
