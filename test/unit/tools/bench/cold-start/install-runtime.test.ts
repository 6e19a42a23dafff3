import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { causeIn, installRuntime } from '../../../../../tools/bench/cold-start/install-runtime.ts';

it.each([
  ['npm error command sh -c ./scripts/preinstall.sh', 'npm error Error: cmake is not installed.'],
  ['npm error gyp info spawn make', 'npm error napi.h:13:10: fatal error: node_api.h: No such file'],
  ['checking for gcc... no', 'configure: error: no acceptable C compiler found in $PATH'],
])('the error shows only the first build error of npm: after %j', (before, cause) => {
  const after = [
    'npm error gyp ERR! stack Error: `make` failed',
    'npm error A complete log of this run: x',
    '',
  ];
  expect(causeIn([before, cause, ...after].join('\n'))).toBe(cause.replace('npm error ', ''));
});

it('the error shows the last line of npm without a build error', () => {
  expect(causeIn('npm error code ENOTFOUND\nnpm error network: not reached\n\n')).toBe(
    'network: not reached',
  );
  expect(causeIn('')).toBe('npm ci failed');
});

it('does nothing any more where it was stopped before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'install-runtime-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'kept'), '');
  await expect(installRuntime(folder, AbortSignal.abort())).rejects.toThrow('aborted');
  expect(readdirSync(folder)).toEqual(['kept']);
});
