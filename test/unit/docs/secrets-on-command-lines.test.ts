import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

// Every user of a machine sees the arguments of a running command, and the shell keeps them.
it('no page and no message puts a secret on a command line', () => {
  const files = ['docs', 'cli', 'lib', 'functions', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:md|ts|mjs|py|sh)$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  );
  const options = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/--secret-string[ =](\S+)/g)].map(
      ([, value = '']) => [file, value] as const,
    ),
  );
  expect(options.length).toBeGreaterThan(5);
  expect(options.filter(([, value]) => !value.startsWith('file://'))).toEqual([]);
});
