import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readCdkDefaults } from '../../../../cli/commands/deploy/arguments.ts';
import { loadContract } from '../../../../contract/document/contract-file-store.ts';
import {
  readOwnFile,
  requireOwnFolder,
  whyForeign,
  whyForeignLink,
} from '../../../../contract/document/own-file-store.ts';
import { projectContext } from '../../../../contract/document/project-store.ts';
import { playAnotherUser } from '../../cli/support/other-user.ts';
import { temporaryDirectory } from '../../cli/support/temporary-directory.ts';

const self = { uid: 1000, gid: 1000 };

it.each([
  ['of this user', { uid: 1000, gid: 1000, mode: 0o100644 }, undefined],
  ['of the administrator', { uid: 0, gid: 0, mode: 0o100644 }, undefined],
  ['that the own group can write', { uid: 1000, gid: 1000, mode: 0o100664 }, undefined],
  ['of another user', { uid: 1001, gid: 1000, mode: 0o100600 }, /^belongs to another user .*\(uid 1001\)$/],
  ['that another group can write', { uid: 1000, gid: 50, mode: 0o100664 }, /^can be written by other users/],
  [
    'that all can write',
    { uid: 1000, gid: 1000, mode: 0o100646 },
    /^can be written by other users .*chmod go-w/,
  ],
  ['of the administrator that all can write', { uid: 0, gid: 0, mode: 0o100666 }, /^can be written by/],
])('a file %s', (_, file, reason) => {
  const why = whyForeign(file, self);
  if (reason === undefined) expect(why).toBeUndefined();
  else expect(why).toMatch(reason);
});

it('reads a file of this user, and names one that others can write', () => {
  const path = join(temporaryDirectory(), 'a.json');
  writeFileSync(path, '{}');
  expect(readOwnFile(path)).toBe('{}');
  chmodSync(path, 0o666);
  expect(() => readOwnFile(path)).toThrow(`${path} can be written by other users`);
});

it('names a file of another user', () => {
  const path = join(temporaryDirectory(), 'a.json');
  writeFileSync(path, '{}');
  playAnotherUser(path);
  expect(() => readOwnFile(path)).toThrow(/a\.json belongs to another user of this machine/);
});

it('names a folder of another user, and one that others can write', () => {
  const path = temporaryDirectory();
  expect(() => requireOwnFolder(path)).not.toThrow();
  chmodSync(path, 0o777);
  expect(() => requireOwnFolder(path)).toThrow(`${path} can be written by other users`);
  chmodSync(path, 0o700);
  playAnotherUser(path);
  expect(() => requireOwnFolder(path)).toThrow(`${path} belongs to another user of this machine`);
});

it('reads a link of this user, and names that of another one, whatever its mode', () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'a.json'), '{}');
  symlinkSync(join(folder, 'a.json'), join(folder, 'link.json'));
  expect(readOwnFile(join(folder, 'link.json'))).toBe('{}');
  expect(whyForeignLink({ uid: 12_345, gid: 1000 }, self)).toMatch(/^belongs to another user/);
  expect(whyForeignLink({ uid: 1000, gid: 50 }, self)).toBeUndefined();
});

it('reads a file below the current folder that a file system shows as writable for all', () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'a.json');
  writeFileSync(path, '{}');
  chmodSync(path, 0o666);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(readOwnFile(path)).toBe('{}');
});

it('names a pipe, and does not wait for what comes out of it', () => {
  const path = join(temporaryDirectory(), 'cdk.json');
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  expect(() => readOwnFile(path)).toThrow(`${path} is a pipe, and not a file`);
  playAnotherUser(path);
  expect(() => readOwnFile(path)).toThrow(`${path} belongs to another user of this machine`);
});

it.each(['/dev/zero', '/dev/null'])('an app whose cdk.json leads to %s is refused', (device) => {
  const folder = temporaryDirectory();
  symlinkSync(device, join(folder, 'cdk.json'));
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
  expect(() => projectContext(folder)).toThrow(
    `${join(folder, 'cdk.json')} is a device, and not a file. Correct it.`,
  );
});

it('sms deploy does not wait for a cdk.json that is a pipe', async () => {
  const folder = temporaryDirectory();
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'cdk.json')]);
  await expect(readCdkDefaults(folder, folder, {})).rejects.toThrow(/cdk\.json cannot be read/);
});

it('an app whose cdk.json is not JSON is not quoted, because a link may lead to a secret', () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'cdk.json'), '[default]\naws_secret_access_key = ...');
  expect(() => projectContext(folder)).toThrow(/^((?!default).)*$/);
});

it.each(['pipe.json', './pipe.json'])('a contract that extends a pipe is refused: %s', (name) => {
  const folder = temporaryDirectory();
  const path = join(folder, 'pipe.json');
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  const contract = join(folder, 'contract.json');
  writeFileSync(contract, JSON.stringify({ extends: './pipe.json' }));
  const read = name === 'pipe.json' ? path : contract;
  expect(() => loadContract(read, { namedBy: '--contract' })).toThrow(`${path} is a pipe, and not a file`);
});

it('names a device, and does not read it', () => {
  const link = join(temporaryDirectory(), 'cdk.json');
  symlinkSync('/dev/zero', link);
  vi.spyOn(process, 'cwd').mockReturnValue('/');
  onTestFinished(() => void vi.restoreAllMocks());
  expect(() => readOwnFile(link)).toThrow(`${link} is a device, and not a file`);
});
