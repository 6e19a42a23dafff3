import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockfileProblems } from './lockfile-problems.ts';

// Prints where the lockfile deviates from docs/concepts/security.md, without network; exit code 1 if it does.
const root = join(import.meta.dirname, '../..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
for (const problem of lockfileProblems(read('package.json'), read('package-lock.json'))) {
  console.error(`package-lock.json: ${problem}`);
  process.exitCode = 1;
}
