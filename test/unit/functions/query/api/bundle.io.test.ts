import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the query function bundles neither code that makes its document nor a client of it', async () => {
  const { metafile } = await build({
    absWorkingDir: resolve(import.meta.dirname, '../../../../..'),
    entryPoints: ['functions/query/api/handler.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  expect(files).toContain('functions/query/api/answer-query.ts');
  const unwanted = /node_modules\/zod-openapi\/|^(client|tools)\//;
  expect(files.filter((file) => unwanted.test(file))).toEqual([]);
});
