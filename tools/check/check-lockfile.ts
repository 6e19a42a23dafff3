import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockfileProblems } from './lockfile-problems.ts';

// Prints where package-lock.json deviates from docs/concepts/security.md, without network; exit code 1 if it does.
const root = join(import.meta.dirname, '../..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const problems = lockfileProblems(read('package.json'), read('package-lock.json'));
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
