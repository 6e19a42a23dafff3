import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../../../tools/check/check-lockfile.ts');
const directory = mkdtempSync(join(tmpdir(), 'lockfile-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const integrity = `sha512-${'a'.repeat(86)}==`;
const intact = {
  project: {
    version: '1.0.0',
    dependencies: { plain: '1.0.0', built: '2.0.0' },
    devDependencies: { tool: '3.0.0' },
    allowScripts: { built: true },
  },
  packages: {
    '': {
      version: '1.0.0',
      dependencies: { plain: '1.0.0', built: '2.0.0' },
      devDependencies: { tool: '3.0.0' },
    },
    'node_modules/plain': {
      version: '1.0.0',
      integrity,
      dependencies: { other: 'npm:@scope/other@^1.0.0', more: '^1 || >=2 <3' },
      bundleDependencies: ['@scope/inner'],
    },
    'node_modules/plain/node_modules/@scope/inner': { version: '1.2.3', inBundle: true },
    'node_modules/plain/node_modules/deeper': { version: '1.2.3', inBundle: true },
    'node_modules/built': { version: '2.0.0', integrity, hasInstallScript: true },
    'node_modules/tool': { version: '3.0.0', integrity, dev: true },
    'node_modules/tool-aix': { version: '3.0.0', dev: true, optional: true, os: ['aix'] },
    'node_modules/tool-s390x': { version: '3.0.0', dev: true, optional: true, os: ['linux'], cpu: 's390x' },
    'node_modules/tool-uclibc': { version: '3.0.0', dev: true, optional: true, libc: ['uclibc'] },
    'node_modules/tool-win32': { version: '3.0.0', dev: true, optional: true, os: ['win32', 'darwin'] },
    'node_modules/tool-not': { version: '3.0.0', dev: true, optional: true, os: ['!linux'] },
  },
};

function check(project: object, packages: object, lockfileVersion = 3) {
  writeFileSync(join(directory, 'package.json'), JSON.stringify(project));
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ lockfileVersion, packages }));
  return spawnSync(process.execPath, [script, directory], { encoding: 'utf8' });
}

const withPackage = (path: string, found: object) =>
  check(intact.project, { ...intact.packages, [path]: found });

it('the check accepts a lockfile that npm creates from the registry', () => {
  expect(check(intact.project, intact.packages)).toMatchObject({ status: 0, stderr: '' });
});

it('the check accepts the lockfile of this repository', () => {
  expect(spawnSync(process.execPath, [script], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

it.each([
  ['none', undefined],
  ['a weak one', 'sha1-aaaaaaaaaaaaaaaaaaaaaaaaaaa='],
  ['a short one', 'sha512-aaaa'],
  ['two', `sha1-a ${integrity}`],
])('the check rejects a package with another integrity than sha512: %s', (_, other) => {
  const { status, stderr } = withPackage('node_modules/new', { version: '1.0.0', integrity: other });
  expect(status).toBe(1);
  expect(stderr).toBe('package-lock.json: node_modules/new has no sha512 integrity\n');
});

it.each([
  ['is in no package that holds others', 'node_modules/new', { inBundle: true }],
  ['is in one that holds none', 'node_modules/tool/node_modules/new', { inBundle: true }],
  ['runs in production', 'node_modules/new', { optional: true, os: ['win32'] }],
  ['is for every platform', 'node_modules/new', { optional: true, dev: true }],
  ['is needed', 'node_modules/new', { dev: true, os: ['aix'] }],
])('the check rejects a package without integrity that %s', (_, path, found) => {
  const { status, stderr } = withPackage(path, { version: '1.0.0', ...found });
  expect([status, stderr]).toEqual([1, `package-lock.json: ${path} has no sha512 integrity\n`]);
});

it.each([
  { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
  { os: ['linux'] },
  { os: 'linux', cpu: 'x64' },
  { os: ['aix', 'linux'], cpu: ['ppc64', 'x64'] },
  { os: ['!win32'], cpu: ['!ia32'], libc: ['!musl'] },
  { os: ['any'] },
])('the check rejects a development tool without integrity that Linux may install: %o', (found) => {
  const tool = { version: '1.0.0', dev: true, optional: true };
  const { status, stderr } = withPackage('node_modules/new', { ...tool, ...found });
  expect([status, stderr]).toEqual([1, 'package-lock.json: node_modules/new has no sha512 integrity\n']);
});

it.each([
  { resolved: 'https://mirror.test/new-1.0.0.tgz' },
  { resolved: 'git+ssh://git@host.test/new.git#0a1b2c3' },
  { resolved: '../new', link: true },
])('the check rejects a package from a URL: %o', (found) => {
  const { status, stderr } = withPackage('node_modules/new', { version: '1.0.0', integrity, ...found });
  expect([status, stderr]).toEqual([
    1,
    'package-lock.json: node_modules/new comes from an address of its own\n',
  ]);
});

it('the check rejects a package under the name of another', () => {
  const { status, stderr } = withPackage('node_modules/plain', {
    ...intact.packages['node_modules/plain'],
    name: 'other',
  });
  expect([status, stderr]).toEqual([1, 'package-lock.json: node_modules/plain is another package\n']);
});

it.each(['git+https://host.test/x.git', 'owner/x', 'github:owner/x', 'file:../x', 'https://host.test/x.tgz'])(
  'the check rejects a dependency on a package from %s',
  (range) => {
    const { status, stderr } = withPackage('node_modules/new', {
      version: '1.0.0',
      integrity,
      dependencies: { x: range },
    });
    expect([status, stderr]).toEqual([1, 'package-lock.json: node_modules/new wants x from elsewhere\n']);
  },
);

it('knows approvals as npm writes them: with a version, and those that were refused', () => {
  const allowScripts = { 'built@2.0.0': true, plain: false };
  expect(check({ ...intact.project, allowScripts }, intact.packages)).toMatchObject({
    status: 0,
    stderr: '',
  });
});

it('the check rejects a script without approval, and an approval without a script', () => {
  const { packages, project } = intact;
  const scripted = check(project, {
    ...packages,
    'node_modules/tool': { version: '3.0.0', integrity, hasInstallScript: true },
    'node_modules/built': { version: '2.0.0', integrity },
  });
  expect(scripted.status).toBe(1);
  expect(scripted.stderr.trim().split('\n')).toEqual([
    'package-lock.json: node_modules/tool runs a script when it is installed, and is not in allowScripts of package.json',
    'package-lock.json: built needs no allowScripts',
  ]);
});

it.each([{ dependencies: { plain: '1.0.1', built: '2.0.0' } }, { devDependencies: {} }])(
  'the check rejects a lockfile of another package.json: %o',
  (change) => {
    const { status, stderr } = check({ ...intact.project, ...change }, intact.packages);
    expect([status, stderr]).toEqual([
      1,
      `package-lock.json: ${Object.keys(change)[0]} are not those of package.json\n`,
    ]);
  },
);

it('the check rejects an invalid lockfile', () => {
  expect(check(intact.project, intact.packages, 2).status).toBe(1);
});
