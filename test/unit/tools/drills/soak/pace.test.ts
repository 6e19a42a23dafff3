import { expect, it } from 'vitest';
import { brokenPace } from '../../../../../tools/drills/soak/pace.ts';

it.each([
  ['is acknowledged in time', {}, []],
  ['has late answers', { seconds: 40 }, ['25.0 a second were acknowledged, not 50']],
  ['is partly rejected', { acknowledged: 980 }, ['20 of 1000 requests were not acknowledged']],
  ['is sent late', { behindMs: 2_500 }, ['the sender was 2500 ms behind its schedule']],
])('the pace of a load that %s', (_, change, broken) => {
  const all = { perSecond: 50, requests: 1000, acknowledged: 1000, seconds: 20.1, behindMs: 30, ...change };
  expect(brokenPace(all, all)).toEqual(broken);
});
