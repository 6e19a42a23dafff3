import { expect, it } from 'vitest';
import { cliReference } from '../../../../tools/generate/cli-reference.ts';
import { commandLine } from '../../cli/support/harness.ts';

const page = cliReference();

it('the reference has one row for each command, with its own options and the schema of its JSON', () => {
  const rows = page.match(/(?<=^\| `sms ).+?(?=[`<[])/gm)?.map((words) => words.trim());
  const words = commandLine()
    .commands()
    .map((command) => command.words);
  expect(rows).toEqual([...words, 'completion']);
  expect(page).toContain(
    '| `sms message get <id>` | show one message with its whole history | [JSON](../../schemas/cli/message-get.json) |',
  );
  expect(page).toContain('`sms quarantine show <id> [--raw]`');
});

it('the reference stays short', () => {
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(2200);
});
