import { describe, expect, it } from 'vitest';
import type { ExportBatch } from '../../../../cli/stores/history-tables.ts';
import { commandLine, type Parts } from '../support/harness.ts';

const commands: [command: string, text: string, refused: string][] = [
  ['person erase +12025550143', '(--dry-run only lists it): --confirm deletes it.', 'Nothing was deleted.'],
  ['webhook deactivate', '--confirm deactivates the webhook.', 'Nothing was changed.'],
  ['webhook rotate --no-overlap', '--confirm drops it.', 'Nothing was rotated.'],
  ['message export --since 2h --csv', '--confirm exports it.', 'Nothing was exported.'],
  ['api DELETE /v1/x', '--confirm sends it.', 'Nothing was sent.'],
];

/** A pipeline with a large history whose every change is counted. */
function pipeline(terminal: Parts['terminal'] = {}) {
  let changes = 0;
  const change = () => {
    changes += 1;
    return Promise.reject(new Error('changed'));
  };
  const size = async () => ({ tableBytes: 2e9, indexBytes: 1e9, keys: 1, tableId: 't' });
  async function* batches(): AsyncGenerator<ExportBatch, void> {
    yield await change();
  }
  const historyExport = async () => ({ size, batches });
  const connection = { invokeSetup: change, waiting: change, historyExport };
  const { sms } = commandLine({ connection, terminal });
  return { run: (command: string) => sms(...command.split(' ')), changes: () => changes };
}

describe.each(commands)('%s', (command, text, refused) => {
  it('needs --confirm without a terminal', async () => {
    const { run, changes } = pipeline();
    const { code, err } = await run(command);
    expect([code, changes()]).toEqual([2, 0]);
    // It says what to type, so that no example follows.
    expect(err.endsWith(`${text}\n`)).toBe(true);
  });

  it.each(['', 'n', 'yess'])('changes nothing on a terminal after the answer "%s"', async (answer) => {
    const { run, changes } = pipeline({ ask: async () => answer });
    const { code, err } = await run(command);
    expect([code, changes()]).toEqual([1, 0]);
    expect(err).toContain(refused);
  });

  it.each(['y', ' YES '])('goes on after the answer "%s", or with --confirm', async (answer) => {
    const asked = pipeline({ ask: async () => answer });
    await asked.run(command);
    const confirmed = pipeline();
    await confirmed.run(`${command} --confirm`);
    expect([asked.changes(), confirmed.changes()]).toEqual([1, 1]);
  });
});
