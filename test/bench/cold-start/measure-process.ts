import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../median.ts';
import { cpuMsOf } from '../process-cpu.ts';
import { startRuntimeApi } from './runtime-api.ts';
import type { Variant } from './variants.ts';

/** What one process took. */
export interface ProcessFigures {
  /** From spawning the process until it asked for its first event. */
  readonly initMs: number;
  /** From giving it its first event until its answer was there. */
  readonly firstResponseMs: number;
  /** The same for the later ones, once it is warm: the median. */
  readonly warmMs: number;
  /** Processor time of one of those, all threads: the mean. */
  readonly warmCpuMs: number;
}

export interface MeasureSettings {
  /** index.mjs of aws-lambda-ric. */
  readonly runtime: string;
  /** Of the process, beside what the Runtime API adds. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes an event, JSON; events must not be alike, nor signed long ago. */
  readonly event: () => string;
  /** Requests before the warm ones are measured. */
  readonly warmUp: number;
  readonly requests: number;
  readonly signal: AbortSignal;
}

/** Runs a bundle in a process of its own, as Lambda does, and ends it. @throws where it answers anything but 200 */
export async function measureProcess(variant: Variant, settings: MeasureSettings): Promise<ProcessFigures> {
  const { runtime, environment, event, warmUp, requests, signal } = settings;
  const api = await startRuntimeApi();
  const begun = performance.now();
  const child = spawn(process.execPath, [runtime], {
    cwd: variant.folder,
    env: { ...environment, AWS_LAMBDA_RUNTIME_API: api.address, LAMBDA_TASK_ROOT: variant.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  const exited = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  const ended = exited.then(([code]) => {
    throw new Error(`${variant.name} ended with exit code ${code}: ${said}`);
  });
  ended.catch(() => {});
  const unlessEnded = <T>(promise: Promise<T>) => Promise.race([promise, ended]);

  async function invoke(): Promise<number> {
    const { ms, body } = await unlessEnded(api.invoke(event()));
    if (!body.includes('"statusCode":200')) throw new Error(`${variant.name} answered ${body}`);
    return ms;
  }

  try {
    const initMs = (await unlessEnded(api.polled())) - begun;
    const firstResponseMs = await invoke();
    for (let request = 0; request < warmUp; request++) await invoke();
    const taken: number[] = [];
    await unlessEnded(api.polled());
    const cpuBefore = cpuMsOf(child.pid ?? 0);
    for (let request = 0; request < requests; request++) taken.push(await invoke());
    await unlessEnded(api.polled());
    const warmCpuMs = (cpuMsOf(child.pid ?? 0) - cpuBefore) / requests;
    // Nothing is to be said of a request that is answered with 200: writing would be part of its figures.
    if (said !== '') throw new Error(`${variant.name} wrote: ${said.slice(0, 1000)}`);
    return { initMs, firstResponseMs, warmMs: median(taken), warmCpuMs };
  } finally {
    child.kill('SIGKILL');
    await exited.catch(() => {});
    await api.stop();
  }
}
