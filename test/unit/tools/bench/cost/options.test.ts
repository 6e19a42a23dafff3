import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../../../tools/bench/cost/options.ts';

describe('options', () => {
  it('have defaults', () => {
    expect(readOptions([])).toEqual({
      ...{ events: 10e6, replyShare: 0.05, perSecond: 50, messages: 1000, settings: {} },
      ...{ priceFile: undefined, jsonFile: undefined },
    });
  });

  it.each([
    ['500', 500],
    ['10k', 10e3],
    ['2.5M', 2.5e6],
    ['1B', 1e9],
  ])('%s events are %i', (text, events) => {
    expect(readOptions(['--events', text]).events).toBe(events);
  });

  it('take settings with and without their prefix, values with equals signs too', () => {
    const args = ['--set', 'sms:workerBatchWindowSeconds=0', '--set', 'forwardUrl=https://a.test/?b=c'];
    expect(readOptions(args).settings).toEqual({
      'sms:workerBatchWindowSeconds': '0',
      'sms:forwardUrl': 'https://a.test/?b=c',
    });
  });

  it.each([
    ['--events', '10 M'],
    ['--events', '0'],
    ['--events', '10T'],
    ['--replies', '0.05'],
    ['--replies', '100%'],
    ['--rate', '0'],
    ['--rate', 'fast'],
    ['--rate', 'Infinity'],
    ['--messages', '2.5'],
    ['--set', 'workerBatchWindowSeconds'],
    ['--evnts', '10M'],
  ])('%s %s is rejected by its name', (name, value) => {
    expect(() => readOptions([name, value])).toThrow(name);
  });
});
