import { describe, expect, it } from 'vitest';
import {
  deliveredWithin,
  sumCounters,
} from '../../../../../../functions/automations/delivery-watch/rules/counters.ts';
import { quarterCounters } from '../../../../../support/quarter-counters.ts';

describe('counters', () => {
  it('count a delivery without a time as one in time', () => {
    const counters = {
      messages: 10,
      delivered: 8,
      deliveries: [{ ms: 5000, messages: 3 }],
      failures: new Map(),
    };
    expect(deliveredWithin(counters, 4999)).toBe(5);
    expect(deliveredWithin(counters, 5000)).toBe(8);
  });

  it('add up messages and deliveries', () => {
    const half = quarterCounters({ messages: 100, rate: 0.5 });
    expect(sumCounters([half, half])).toEqual({ messages: 200, delivered: 100 });
  });
});
