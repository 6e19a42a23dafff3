import { expect, it } from 'vitest';
import { commandLine } from '../support/harness.ts';

it.each([
  [['start'], []],
  [
    ['start', '--no-demo', '-c', 'sms:a=1', '--port', '4100', '--dir', 'runs'],
    ['--no-demo', '-c', 'sms:a=1', '--port', '4100', '--dir', 'runs'],
  ],
  [
    ['demo', '--keep', '-c', 'sms:b=2'],
    ['--demo', '--keep', '-c', 'sms:b=2'],
  ],
])('%j runs the app on this machine with %j', async (words, args) => {
  const runs: (readonly string[])[] = [];
  const startLocally = async (given: readonly string[]) => void runs.push(given);
  expect(await commandLine({ startLocally }).sms(...words)).toEqual({ code: 0, out: '', err: '' });
  expect(runs).toEqual([args]);
});
