import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../../../..');

it('every AWS client of a function drops connections that died while Lambda had frozen it', () => {
  const files = globSync('functions/**/*.ts', { cwd: project });
  const clients = files.flatMap((file) =>
    [...readFileSync(resolve(project, file), 'utf8').matchAll(/new \w+Client\((.{0,40})/gs)].map(
      ([, settings = '']) => ({ file, settings: settings.replaceAll(/\s/g, '') }),
    ),
  );
  expect(clients.length).toBeGreaterThan(20);
  expect(clients.filter(({ settings }) => !/^(\{\.\.\.)?clientSettings\b/.test(settings))).toEqual([]);
});
