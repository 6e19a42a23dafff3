import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder, gone after the tests of the file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sms-cli-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return directory;
}
