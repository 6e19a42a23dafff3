import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import type { Started } from './post-signed.ts';

const project = resolve(import.meta.dirname, '../../..');

/** The example of docs/guides/status-in-your-app.md, whose tests send with the sandbox. */
export function statusPageShowsOwnMessages(pipeline: Started<LocalPipeline>): void {
  it('shows each user her own messages, as its tests say', async () => {
    const { port, outputs } = pipeline();
    const env = { ...process.env, QUERY_URL: outputs.QueryUrl, SANDBOX_URL: `http://127.0.0.1:${port + 1}` };
    const tests = join(project, 'examples/status-page/status-page.test.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', tests], {
      cwd: project,
      env,
    });
    expect(stdout).toMatch(/^# pass 3$/m);
  });
}
