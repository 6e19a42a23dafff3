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

const decode = (args: readonly string[], input: string) =>
  spawnSync(process.execPath, ['tools/decode-stack.ts', ...args], { cwd: root, input, encoding: 'utf8' });

it('decode-stack shows the source positions of a stack', () => {
  const { stderr: stack } = spawnSync(process.execPath, [join(folder, 'index.js')], { encoding: 'utf8' });
  expect(stack).toMatch(/index\.js:1:\d+\)/);
  const { stdout, status } = decode(['thrower', folder], stack);
  expect(status).toBe(0);
  expect(stdout).toContain('Error: deep');
  expect(stdout).toMatch(/thrower\.ts:3:\d+\)/);
  expect(stdout).toMatch(/thrower\.ts:4:\d+\)/);
  expect(stdout).toMatch(/thrower\.ts:6:\d+\)/);
  // Frames of Node itself stay as they are.
  expect(stdout).toContain('node:internal/');
});

it('decode-stack recognises a bundle that another file loads', () => {
  const { stderr: stack } = spawnSync(process.execPath, [join(folder, 'index.js')], { encoding: 'utf8' });
  const { stdout } = decode(['thrower', folder], stack.replaceAll('index.js', 'handler.js'));
  expect(stdout).toMatch(/thrower\.ts:6:\d+\)/);
  expect(stdout).not.toMatch(/handler\.js:\d+:\d+/);
});

it('leaves places that are on no line of the map, and says that the stack is of another version', () => {
  const places = [7, 8, 9].map((column) => `    at deep (/var/task/index.js:99:${column})`).join('\n');
  const { stdout, stderr, status } = decode(['thrower', folder], places);
  expect(stdout).toBe(`${places}\n`);
  expect(stderr).toMatch(/^0 of 3 places are where .*thrower\.js\.map of 2\d{3}-.* another version/);
  expect(status).toBe(1);
});

it('says that a stack is of another version by places where nothing begins', () => {
  const { stderr: stack } = spawnSync(process.execPath, [join(folder, 'index.js')], { encoding: 'utf8' });
  const moved = stack.replace(
    /(index\.js:\d+:)(\d+)/g,
    (_, before, column) => `${before}${Number(column) + 1}`,
  );
  const { stderr, status } = decode(['thrower', folder], moved);
  expect(stderr).toContain('another version');
  expect(status).toBe(1);
});

it('decode-stack needs more than two positions to report another version', () => {
  const places = [7, 8].map((column) => `    at deep (/var/task/index.js:99:${column})`).join('\n');
  const { stdout, stderr, status } = decode(['thrower', folder], places);
  expect([stdout, stderr, status]).toEqual([`${places}\n`, '', 0]);
});

it('decode-stack leaves a text without positions unchanged', () => {
  const { stdout, stderr, status } = decode(['thrower', folder], 'Error: deep\n');
  expect([stdout, stderr, status]).toEqual(['Error: deep\n', '', 0]);
});

it('decode-stack names the missing source map', () => {
  const { stderr, status } = decode(['no-such-function', folder], '');
  expect(status).toBe(1);
  expect(stderr).toContain(join(folder, 'no-such-function.js.map'));
});
