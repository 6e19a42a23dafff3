import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockfileProblems } from './lockfile-problems.ts';

// Prints where the lockfiles deviate from docs/concepts/security.md, without network; exit code 1 if one does.
const root = join(import.meta.dirname, '../..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
for (const folder of ['', 'site/', 'test/conformance/', 'tools/mutation/']) {
  for (const problem of lockfileProblems(read(`${folder}package.json`), read(`${folder}package-lock.json`))) {
    console.error(`${folder}package-lock.json: ${problem}`);
    process.exitCode = 1;
  }
}
