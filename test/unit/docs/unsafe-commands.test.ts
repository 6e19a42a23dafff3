import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { personalFiles, secretFiles } from '../../../cli/commands/init/app-files.ts';

const root = join(import.meta.dirname, '../../..');

const files = ['README.md', ...['docs', 'cli', 'lib', 'functions', 'examples'].flatMap(filesIn)];

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:md|ts|mjs|py|sh)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file));
}

const found = (pattern: RegExp) =>
  files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([whole]) => `${file}: ${whole}`),
  );

// Every user of a machine sees the arguments of a running command, and the shell keeps them.
it('no page and no message puts a secret on a command line', () => {
  expect(found(/--secret-string[ =]file:\S+/g).length).toBeGreaterThan(5);
  expect(found(/--secret-string[ =](?!file:)\S+/g)).toEqual([]);
});

// A user may stop between the lines that write such a file and delete it.
it('git ignores each file that a page puts a secret into, in a clone and in an app of `sms init`', () => {
  const named = found(/(?:--secret-string file:\/\/|--secret-file |--key-file )[\w-]+\.txt/g).map((line) =>
    line.replace(/^.*[ /]/, ''),
  );
  const inClone = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  expect([...new Set(named)].sort()).toEqual([...secretFiles].sort());
  expect(inClone).toEqual(expect.arrayContaining([...secretFiles, ...personalFiles]));
});

// Until the package is published, anybody may register its name, and their code would run.
it('no page and no message installs or runs the package by its name alone', () => {
  const byName = found(/(?:npm (?:i|install|update)|npx)(?: --?[\w-]+)* sms-event-pipeline\b.*/g);
  expect(byName.filter((line) => !line.startsWith(join('docs', 'contributing', 'release.md')))).toEqual([]);
});
