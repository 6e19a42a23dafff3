import { expect, it } from 'vitest';
import { commandLine } from '../support/harness.ts';

it.each([
  'person erase +12025550143 --dry-run',
  'person export +12025550143',
  'dead-letter list',
  'insights verify',
])('%s is about all sources, and refuses one', async (line) => {
  const { code, err } = await commandLine().sms(...line.split(' '), '--source', 'backup');
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('about all sources of the pipeline: leave --source out'),
  ]);
});
