import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { afterEach, expect, it } from 'vitest';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const umask = process.umask();

afterEach(() => {
  process.umask(umask);
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it('Lambda can read the code of every function, whatever the umask of the machine that deploys', () => {
  process.umask(0o077);
  const app = quickApp();
  pipelineIn(new Stack(app, 'Shop'));
  const { directory } = app.synth();
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => join(directory, path))
    .filter((path) => path.endsWith('index.js'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(modeOf(file), file).toBe('644');
  const written = files.map((file) => dirname(file)).filter((folder) => folder.includes('.functions'));
  expect(written.length).toBeGreaterThan(5);
  for (const folder of written) expect(modeOf(folder), folder).toBe('755');
});
