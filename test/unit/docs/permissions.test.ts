import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const policies = ['deployer', 'reader', 'query-api'].map((name) => `docs/guides/policies/${name}.json`);
const pages = [...policies, 'docs/guides/permissions.md', 'docs/operate/doctor.md'].map(read).join('\n');

/** The sources that a deployed pipeline's commands run: not those that start one on this machine. */
const folders = /^(?:cli|client|contract|functions)\//;

/** Returns the files that a file imports, directly and through others. */
function reachedFrom(entry: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const source = read(path).replaceAll(/^import type [^;]+;/gm, '');
    const imports = source.matchAll(/(?:from\s+|import\(\s*)'(\.[^']+\.ts)'/g);
    for (const [, imported = ''] of imports) {
      const found = relative(root, resolve(root, dirname(path), imported));
      if (folders.test(found) && existsSync(join(root, found))) waiting.push(found);
    }
  }
  return reached;
}

/** Calls whose permission has another name. */
const renamed: Readonly<Record<string, string>> = {
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  DeleteMessageBatch: 'DeleteMessage',
  Invoke: 'InvokeFunction',
  ListObjectsV2: 'ListBucket',
};

/** Calls that need no permission of that name, with the reason. */
const without: Readonly<Record<string, string>> = {
  TransactWriteItems: 'DynamoDB asks for the permissions of its parts',
};

const calls = [...reachedFrom('bin/run-sms.ts')].flatMap((path) =>
  [...read(path).matchAll(/\bnew ([A-Z]\w+)Command\(|\bpaginate([A-Z]\w+)\(/g)].map(
    ([, command, paged]) => command ?? paged ?? '',
  ),
);
const actions = [...new Set(calls)].filter((call) => !(call in without)).map((call) => renamed[call] ?? call);

it('commands call AWS', () => {
  expect(actions).toEqual(
    expect.arrayContaining(['DescribeStacks', 'Query', 'Scan', 'StartMessageMoveTask']),
  );
});

it.each(actions.toSorted())('the pages name the permission %s, which a command needs', (action) => {
  expect(pages).toMatch(new RegExp(`\\b${action}\\b`));
});
