import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startWorkProcess } from '../../../../../tools/bench/work/start-work-process.ts';

/** A process with a handler of a few lines. */
function processOf(code: string) {
  const bundle = mkdtempSync(join(tmpdir(), 'work-process-'));
  writeFileSync(join(bundle, 'index.js'), code);
  const { signal } = new AbortController();
  const child = startWorkProcess({ bundle, environment: { MARK: 'x' }, answer: '"ok":true', signal });
  onTestFinished(async () => {
    await child.stop();
    rmSync(bundle, { recursive: true });
  });
  return child;
}

it('a work process reports the cost of successful invocations', async () => {
  const child = processOf(
    'exports.handler = async ({ n }) => ({ ok: n === 1 && process.env.MARK === "x" });',
  );
  expect(await child.run([{ n: 1 }, { n: 1 }])).toBeGreaterThan(0);
});

it.each([
  ['answers something else', 'exports.handler = async () => ({ ok: false });', '"ok":false'],
  ['throws', 'exports.handler = async () => { throw new Error("broken"); };', 'broken'],
  ['ends', 'exports.handler = async () => process.exit(3);', 'exit code 3'],
])('a work process fails when the function %s', async (_, code, message) => {
  await expect(processOf(code).run([{}])).rejects.toThrow(message);
});
