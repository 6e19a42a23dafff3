import { expect, it } from 'vitest';
import { cliReference } from '../../../../tools/generate/cli-reference.ts';
import { commandLine } from '../../cli/support/harness.ts';

const page = cliReference();

it('the reference has one line for each command, with its arguments', () => {
  const [, block = ''] = /```text\n([\s\S]*?)\n```/.exec(page) ?? [];
  const lines = block.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines.map(([usage = '']) => usage.replace(/ [<[].+$/, ''))).toEqual([
    ...commandLine()
      .commands()
      .map(({ words }) => words),
    'completion',
  ]);
  expect(lines).toContainEqual(['message get <id>', 'show one message with its whole history']);
  expect(lines).toContainEqual(['api <method> <path>', expect.stringMatching(/\w+ \w+/)]);
});

it('the reference names the topics of the options that commands share', () => {
  for (const topic of ['lists', 'targets']) expect(page).toContain(`\`sms help ${topic}\``);
});

it('the reference stays short', () => {
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(650);
});
