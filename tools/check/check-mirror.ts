import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript } from '../support/run-script.ts';
import { judge, listName, sourceFolders, type Tree } from './mirror.ts';

// Lists the sources with logic that have no test of their own at the mirrored place, and fails where tools/check/without-own-test.txt differs.
// `--write` removes from that file what has got its test.
const cwd = resolve(import.meta.dirname, '../..');

await runScript(() => {
  const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
  const list = readFileSync(join(cwd, listName), 'utf8').split('\n').filter(Boolean);
  const { lines, isFailure, newList } = judge(readTree(), list, values.write === true);
  if (newList !== undefined) writeFileSync(join(cwd, listName), newList.map((path) => `${path}\n`).join(''));
  for (const line of lines) (isFailure ? console.error : console.log)(line);
  return isFailure ? 1 : 0;
});

function readTree(): Tree {
  const paths = (...patterns: string[]) => globSync(patterns, { cwd });
  const all = paths(...sourceFolders.map((folder) => `${folder}/**/*.ts`));
  const sources = all.filter((path) => !path.endsWith('.gen.ts'));
  return {
    sources: new Map(sources.map((path) => [path, readFileSync(join(cwd, path), 'utf8')])),
    tests: new Set(paths('test/{unit,infra,local}/**/*.test.ts')),
  };
}
