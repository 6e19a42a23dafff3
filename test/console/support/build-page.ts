import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from './browser-path.ts';

const root = join(import.meta.dirname, '../../..');

/** Builds the page once for all tests, as it is shipped. A missing browser is reported before the build. */
export default async function buildPage(): Promise<void> {
  chromiumPath();
  const args = ['node_modules/vite/bin/vite.js', 'build', 'console', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
