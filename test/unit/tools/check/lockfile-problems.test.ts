import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockfileProblems } from '../../../../tools/check/lockfile-problems.ts';

const integrity = `sha512-${'a'.repeat(86)}==`;
const project = {
  allowScripts: { built: true },
};
const plain = {
  version: '1.0.0',
  license: 'MIT',
  integrity,
  dependencies: { other: 'npm:@scope/other@^1.0.0', more: '^1 || >=2 <3' },
  bundleDependencies: ['@scope/inner'],
};
const packages = {
  '': {
    version: '1.0.0',
    dependencies: { plain: '1.0.0', built: '2.0.0' },
    devDependencies: { tool: '3.0.0' },
  },
  'node_modules/plain': plain,
  'node_modules/plain/node_modules/@scope/inner': { version: '1.2.3', license: 'ISC', inBundle: true },
  'node_modules/plain/node_modules/deeper': { version: '1.2.3', license: '(GPL-3.0 OR MIT)', inBundle: true },
  'node_modules/built': { version: '2.0.0', license: 'Apache-2.0', integrity, hasInstallScript: true },
  'node_modules/tool': { version: '3.0.0', integrity, dev: true },
  'node_modules/tool-aix': { version: '3.0.0', integrity, dev: true, optional: true, os: ['aix'] },
};

const check = (changes: object, more: object = {}) =>
  lockfileProblems({ ...project, ...changes }, { lockfileVersion: 3, packages: { ...packages, ...more } });
const withPackage = (found: object, path = 'node_modules/new') =>
  check({}, { [path]: { version: '1.0.0', license: 'MIT', ...found } });

it.each(['.', 'site', 'test/conformance'])(
  'npm refuses install scripts that are not approved in %s',
  (folder) => {
    const settings = readFileSync(join(import.meta.dirname, '../../../..', folder, '.npmrc'), 'utf8');
    expect(settings.split('\n')).toContain('strict-allow-scripts=true');
  },
);

it('a lockfile that npm creates from the registry has no problems', () => {
  expect(check({})).toEqual([]);
});

it.each([
  ['none', undefined],
  ['a weak one', 'sha1-aaaaaaaaaaaaaaaaaaaaaaaaaaa='],
  ['two', `sha1-a ${integrity}`],
])('a package with another integrity than sha512 is a problem: %s', (_, other) => {
  expect(withPackage({ integrity: other })).toEqual(['node_modules/new has no sha512 integrity']);
});

it.each([
  ['is in a package that holds no others', { inBundle: true }, 'node_modules/tool/node_modules/new'],
  ['is in no package that holds others', { inBundle: true }],
  ['is for another platform', { dev: true, optional: true, os: ['win32'] }],
])('a package without integrity that %s is a problem', (_, found, path = 'node_modules/new') => {
  expect(withPackage(found, path)).toEqual([`${path} has no sha512 integrity`]);
});

it.each([
  { resolved: 'https://mirror.test/new-1.0.0.tgz' },
  { resolved: 'git+ssh://git@host.test/new.git#0a1b2c3' },
  { resolved: '../new', link: true },
])('a package from a URL is a problem: %o', (found) => {
  expect(withPackage({ integrity, ...found })).toEqual(['node_modules/new comes from an address of its own']);
});

it('a package under the name of another is a problem', () => {
  expect(withPackage({ ...plain, name: 'other' }, 'node_modules/plain')).toEqual([
    'node_modules/plain is another package',
  ]);
});

it.each([
  ['node_modules/alias', []],
  ['node_modules/plain/node_modules/alias', ['node_modules/plain/node_modules/alias is another package']],
])(
  'another package under an alias of package.json is accepted for the project alone: %s',
  (path, problems) => {
    const devDependencies = { alias: 'npm:other@1.0.0' };
    expect(check({ devDependencies }, { [path]: { ...plain, name: 'other' } })).toEqual(problems);
    expect(check({ devDependencies }, { [path]: { ...plain, name: 'wrong' } })).toHaveLength(1);
  },
);

it.each(['git+https://host.test/x.git', 'owner/x', 'github:owner/x', 'file:../x', 'https://host.test/x.tgz'])(
  'a dependency on a package from %s is a problem',
  (range) => {
    expect(withPackage({ integrity, dependencies: { x: range } })).toEqual([
      'node_modules/new wants x from elsewhere',
    ]);
  },
);

it('approvals are read as npm writes them: with a version, and those that were refused', () => {
  expect(check({ allowScripts: { 'built@2.0.0': true, plain: false } })).toEqual([]);
});

it('a script without approval, and an approval without a script, are problems', () => {
  expect(
    check(
      {},
      {
        'node_modules/tool': { version: '3.0.0', license: 'MIT', integrity, hasInstallScript: true },
        'node_modules/built': { version: '2.0.0', license: 'MIT', integrity },
      },
    ),
  ).toEqual([
    'node_modules/tool runs a script when it is installed, and is not in allowScripts of package.json',
    'built needs no allowScripts',
  ]);
});

it('a lockfile of another version is rejected', () => {
  expect(() => lockfileProblems(project, { lockfileVersion: 2, packages })).toThrow('lockfileVersion');
});

it.each([
  [undefined, 'no licence'],
  ['GPL-3.0-or-later', 'GPL-3.0-or-later'],
  ['SEE LICENSE IN LICENSE', 'SEE LICENSE IN LICENSE'],
])('a package that ships under %s is a problem, and one for development is none', (license, named) => {
  expect(withPackage({ integrity, license })).toEqual([
    `node_modules/new ships under ${named}, which tools/check/licences.ts does not allow`,
  ]);
  expect(withPackage({ integrity, license, dev: true })).toEqual([]);
});
