import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the query function bundles no code that makes its document, no client of it and no rules of phone numbers', async () => {
  const { metafile } = await build({
    absWorkingDir: resolve(import.meta.dirname, '../../../..'),
    entryPoints: ['functions/query/handler.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  expect(files).toContain('functions/query/answer-query.ts');
  const unwanted = /node_modules\/(zod-openapi|libphonenumber-js)\/|^(client|tools)\//;
  expect(files.filter((file) => unwanted.test(file))).toEqual([]);
});
