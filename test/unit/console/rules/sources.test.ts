import { expect, it } from 'vitest';
import { compareByCountry, ratesBySource } from '../../../../console/rules/sources.ts';

const counts = (messages: number, failed: number, pending = 0) => ({
  messages,
  failed,
  pending,
  delivered: messages - failed - pending,
  replies: 0,
  optOuts: 0,
  timeToDelivery: null,
  segments: 0,
  spend: [],
});

it('the rates of sources have a value for each period, and none without an outcome', () => {
  const start = '2026-01-15T00:00:00.000Z';
  const [main, backup] = [
    { source: 'main', ...counts(10, 1) },
    { source: 'backup', ...counts(4, 2) },
  ];
  const waiting = { source: 'backup', ...counts(3, 0, 3) };
  const periods = [
    { start, ...counts(14, 3), sources: [main, backup] },
    undefined,
    { start, ...counts(13, 1), sources: [main, waiting] },
    { start, ...counts(10, 1), sources: [main] },
  ];
  expect(ratesBySource(periods, ['main', 'backup', 'idle'])).toEqual([
    { name: 'main', values: [0.9, undefined, 0.9, 0.9] },
    { name: 'backup', values: [0.5, undefined, undefined, undefined] },
    { name: 'idle', values: [undefined, undefined, undefined, undefined] },
  ]);
});

it('countries are those of any source, the one with the most messages first, with each source in the same place', () => {
  const [us, br] = [
    { country: 'US', ...counts(10, 1) },
    { country: 'BR', ...counts(9, 0) },
  ];
  const compared = compareByCountry([
    { source: 'main', ...counts(10, 1), countries: [us] },
    { source: 'backup', ...counts(11, 0), countries: [br, { country: 'ZZ', ...counts(2, 0) }] },
  ]);
  expect(compared.map(({ country, messages }) => [country, messages])).toEqual([
    ['US', 10],
    ['BR', 9],
    ['ZZ', 2],
  ]);
  expect(compared[1]?.bySource).toEqual([
    { source: 'main', counts: undefined },
    { source: 'backup', counts: br },
  ]);
});
