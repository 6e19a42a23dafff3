import { spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'decode-stack-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A function that throws on its third line. */
const source =
  'const depth = 3;\nfunction deep(left: number): number {\n  if (left === 0) throw new Error("deep");\n  return deep(left - 1);\n}\nconsole.log(deep(depth));\n';

beforeAll(async () => {
  await build({
    stdin: { contents: source, sourcefile: 'thrower.ts', loader: 'ts' },
    outfile: join(folder, 'index.js'),
    minify: true,
    sourcemap: 'external',
  });
  renameSync(join(folder, 'index.js.map'), join(folder, 'thrower.js.map'));
});

const decode = (name: string, input: string) =>
  spawnSync(process.execPath, ['tools/decode-stack.ts', name, folder], {
    cwd: root,
    input,
    encoding: 'utf8',
  });
const thrown = () => spawnSync(process.execPath, [join(folder, 'index.js')], { encoding: 'utf8' }).stderr;
const unmapped = (...columns: readonly number[]) =>
  columns.map((column) => `    at deep (/var/task/index.js:99:${column})`).join('\n');

it('decode-stack reports another version by places on no line of the map, and leaves them', () => {
  const { stdout, stderr, status } = decode('thrower', unmapped(7, 8, 9));
  expect(stdout).toBe(`${unmapped(7, 8, 9)}\n`);
  expect(stderr).toMatch(/^0 of 3 places are where .*thrower\.js\.map of 2\d{3}-.* another version/);
  expect(status).toBe(1);
});

it('decode-stack reports another version by places where nothing begins', () => {
  const moved = thrown().replace(
    /(index\.js:\d+:)(\d+)/g,
    (_, before, column) => `${before}${Number(column) + 1}`,
  );
  const { stderr, status } = decode('thrower', moved);
  expect(stderr).toContain('another version');
  expect(status).toBe(1);
});

it.each([unmapped(7, 8), 'Error: deep'])(
  'decode-stack leaves a text with fewer than three positions: %s',
  (text) => {
    const { stdout, stderr, status } = decode('thrower', text);
    expect([stdout, stderr, status]).toEqual([`${text}\n`, '', 0]);
  },
);

it('decode-stack names the missing source map', () => {
  const { stderr, status } = decode('no-such-function', '');
  expect(status).toBe(1);
  expect(stderr).toContain(join(folder, 'no-such-function.js.map'));
});
