import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that tests leave in the system's temporary folder goes when they are done, unless `KEEP_TEST_FILES` is set. */
export default function setup(): () => void {
  const root = mkdtempSync(join(tmpdir(), 'sms-tests-'));
  process.env.TMPDIR = root;
  return () => {
    if (process.env.KEEP_TEST_FILES === undefined) rmSync(root, { recursive: true, force: true });
  };
}
