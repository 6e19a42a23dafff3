import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startProcess, type VariantProcess } from '../../../../../tools/bench/cold-start/start-process.ts';

/** Answers each event after it reported a processor time of 1 ms, then half a millisecond more each time. */
const runtime = (answer: string, beforePolls = '') => `
import { writeSync } from 'node:fs';
const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/invocation/';
${beforePolls}
for (let microseconds = 1000; ; microseconds += 500) {
  writeSync(3, microseconds + '\\n');
  const next = await fetch(base + 'next');
  await next.text();
  const id = next.headers.get('lambda-runtime-aws-request-id');
  await fetch(base + id + '/response', { method: 'POST', body: ${JSON.stringify(answer)} });
}`;

async function started(code: string): Promise<VariantProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'start-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'runtime.mjs');
  writeFileSync(file, code);
  const process = await startProcess(
    { name: 'ingest', folder, bytes: 0 },
    { runtime: file, environment: {}, event: () => '{}', signal: new AbortController().signal },
  );
  onTestFinished(() => process.stop());
  return process;
}

it('says what processor time the start took, and each run of requests beyond that', async () => {
  const { initMs, initCpuMs, run } = await started(runtime('{"statusCode":200}'));
  expect(initMs).toBeGreaterThan(0);
  expect(initCpuMs).toBe(1);
  expect(await run(1)).toEqual({ ms: [expect.any(Number)], cpuMs: 0.5 });
  const { ms, cpuMs } = await run(3);
  expect([ms.length, cpuMs]).toEqual([3, 1.5]);
});

it.each([
  ['answers anything but 200', runtime('{"statusCode":503}'), 'ingest answered {"statusCode":503}'],
  ['writes', runtime('{"statusCode":200}', 'writeSync(2, "a warning");'), 'ingest wrote: a warning'],
])('a run fails where the process %s', async (_, code, message) => {
  const { run } = await started(code);
  await expect(run(1)).rejects.toThrow(message);
});

it('fails where the process ends before it asks for an event', async () => {
  await expect(started('process.exit(3)')).rejects.toThrow('exit code 3');
});
