import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { cacheCompiledCode, compileCacheVariable } from '../../../../local/processes/compile-cache.ts';
import { until } from '../../../../tools/support/until.ts';
import { hostFunction } from '../../../support/local-lambda.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'compile-cache-'));

function projectWithModules(): string {
  const project = newFolder();
  mkdirSync(join(project, 'node_modules'));
  return project;
}

it('a run keeps compiled code in node_modules, and its processes inherit the folder', () => {
  const project = projectWithModules();
  const environment = {};
  const enabled: string[] = [];
  cacheCompiledCode(project, environment, (folder) => enabled.push(folder));
  const directory = join(project, 'node_modules/.cache/sms-event-pipeline');
  expect(enabled).toEqual([directory]);
  expect(environment).toEqual({ NODE_COMPILE_CACHE: directory });
  expect(compileCacheVariable(environment)).toEqual(environment);
});

it('a run makes no node_modules, leaves a cache of the caller alone, and caches nothing while coverage is measured', () => {
  const enabled: string[] = [];
  const enable = (folder: string) => enabled.push(folder);
  const empty = newFolder();
  const none = {};
  cacheCompiledCode(empty, none, enable);
  expect([none, existsSync(join(empty, 'node_modules'))]).toEqual([{}, false]);
  const measured = { NODE_V8_COVERAGE: 'coverage' };
  cacheCompiledCode(projectWithModules(), measured, enable);
  expect([measured, compileCacheVariable(measured)]).toEqual([{ NODE_V8_COVERAGE: 'coverage' }, {}]);
  expect(enabled).toEqual([]);
  const chosen = { NODE_COMPILE_CACHE: '/elsewhere' };
  cacheCompiledCode(projectWithModules(), chosen, enable);
  expect(chosen).toEqual({ NODE_COMPILE_CACHE: '/elsewhere' });
});

it('a host writes its compiled code as soon as it is ready, and hides the cache from its function', async () => {
  const cache = newFolder();
  vi.stubEnv('NODE_COMPILE_CACHE', cache);
  const { pool } = hostFunction('exports.handler = () => Object.keys(process.env);', { limit: 1 });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await pool.stop();
  });
  const outcome = await pool.invoke({});
  expect(outcome).toMatchObject({ kind: 'ok', value: expect.arrayContaining(['AWS_REGION']) });
  expect(outcome).not.toMatchObject({ value: expect.arrayContaining(['NODE_COMPILE_CACHE']) });
  await until(
    'there is compiled code',
    () => readdirSync(cache, { recursive: true }).length > 1 || undefined,
  );
});
