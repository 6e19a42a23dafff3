import { expect, it } from 'vitest';
import { brokenPace } from '../../../../../tools/drills/soak/pace.ts';

const good = { seconds: 20.1, behindMs: 30 };
const all = { perSecond: 50, requests: 1000, acknowledged: 1000 };

it('a load that is acknowledged in time keeps its pace', () => {
  expect(brokenPace(good, all)).toEqual([]);
});

it('a load with late answers does not keep its pace', () => {
  expect(brokenPace({ ...good, seconds: 40 }, all)).toEqual(['25.0 a second were acknowledged, not 50']);
});

it('a load that is partly rejected or sent late does not keep its pace', () => {
  expect(brokenPace(good, { ...all, acknowledged: 980 })).toEqual([
    '20 of 1000 requests were not acknowledged',
  ]);
  expect(brokenPace({ ...good, behindMs: 2_500 }, all)).toEqual([
    'the sender was 2500 ms behind its schedule',
  ]);
});
