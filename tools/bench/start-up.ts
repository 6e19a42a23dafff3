/**
 * `npm run bench:cli [-- --runs N]`: how long the packaged command line takes from its start to its end, on the local stacks. Each run is in
 * turns with an empty program of Node, which shows what the machine itself takes at that moment. It prints figures and judges nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createHistoryReader } from '../../functions/lists/history-list-store.ts';
import { startLocalPipeline } from '../support/local-pipeline.ts';
import { postSigned } from '../support/post-signed.ts';
import { runScript, wholeNumber } from '../support/run-script.ts';
import { median } from '../support/statistics.ts';
import { renderTable } from '../support/table.ts';
import { until } from '../support/until.ts';

const root = resolve(import.meta.dirname, '../..');

await runScript(async () => {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' } } });
  const runs = wholeNumber('runs', values.runs);
  const folder = mkdtempSync(join(tmpdir(), 'sms-start-up-'));
  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  node('tools/package/build-package.ts', '--out', folder);
  const sms = join(folder, 'dist/run/bin/sms.mjs');

  const pipeline = await startLocalPipeline();
  try {
    const data = {
      id: 'm-1',
      to: '+12025550143',
      status: 'delivered',
      occurred_at: new Date().toISOString(),
    };
    await postSigned(pipeline, { type: 'sms.status', data }, 'evt-1');
    const history = createHistoryReader(pipeline.dynamoDb, pipeline.outputs.HistoryTableName ?? '');
    await until('the message is in history', () => history.message('m-1'));
    const programs: readonly (readonly [name: string, args: readonly string[]])[] = [
      ['node -e 0', ['-e', '0']],
      ['sms --version', [sms, '--version']],
      ['sms message get', [sms, 'message', 'get', 'm-1', '--dir', pipeline.directory]],
    ];
    const took = programs.map((): number[] => []);
    // The first round fills the caches, and does not count.
    for (let run = 0; run <= runs; run++)
      programs.forEach(([, args], index) => {
        const begun = performance.now();
        node(...args);
        if (run > 0) took[index]?.push(performance.now() - begun);
      });
    const rows = programs.map(([name], index) => {
      const ms = took[index] ?? [];
      return [name, Math.round(median(ms)), Math.round(Math.min(...ms))].map(String);
    });
    console.info(renderTable([['program', 'median ms', 'fastest ms'], ...rows]));
  } finally {
    await pipeline.stop();
    rmSync(folder, { recursive: true });
  }
  return 0;
});
