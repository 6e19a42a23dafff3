import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { startRuntimeApi } from './runtime-api.ts';
import type { Variant } from './variants.ts';

/** A bundle in a process of its own, as Lambda runs one. */
export interface VariantProcess {
  /** From spawning it until it asked for its first event. */
  readonly initMs: number;
  /** Processor time until then, all threads. */
  readonly initCpuMs: number;
  /**
   * Gives it so many events, one after another.
   *
   * @throws where it answers anything but 200, or writes anything: that would be part of the figures
   */
  run(requests: number): Promise<Taken>;
  /** Resolves once it is gone. */
  stop(): Promise<void>;
}

/** The times of a run of requests. */
interface Taken {
  /** From giving an event until its answer was there, of each. */
  readonly ms: readonly number[];
  /** Processor time of all together, all threads, until it asked for the event after them. */
  readonly cpuMs: number;
}

interface ProcessSettings {
  /** index.mjs of aws-lambda-ric. */
  readonly runtime: string;
  /** The environment of the process, besides the Runtime API's variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes an event, JSON; events must not be alike, nor signed long ago. */
  readonly event: () => string;
}

/** By which a process says what processor time it took, whenever it asks for an event. */
const reportCpu = join(import.meta.dirname, 'report-cpu.cjs');

/** Resolves when the process asks for its first event. @throws where it ends before */
export async function startProcess(variant: Variant, settings: ProcessSettings): Promise<VariantProcess> {
  const { runtime, environment, event } = settings;
  const api = await startRuntimeApi();
  const begun = performance.now();
  const child = spawn(process.execPath, ['--require', reportCpu, runtime], {
    cwd: variant.folder,
    env: { ...environment, AWS_LAMBDA_RUNTIME_API: api.address, LAMBDA_TASK_ROOT: variant.folder },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      said += text;
    });
  const ended = exited.then(([code]) => {
    throw new Error(`${variant.name} ended with exit code ${code}: ${said}`);
  });
  ended.catch(() => {});
  const unlessEnded = <T>(promise: Promise<T>) => Promise.race([promise, ended]);
  const [, , , cpuTimes] = child.stdio;
  if (!(cpuTimes instanceof Readable))
    throw new Error(`${variant.name} has no stream for its processor time`);
  const lines = createInterface(cpuTimes)[Symbol.asyncIterator]();
  const nextCpuMs = async () => Number((await unlessEnded(lines.next())).value) / 1000;

  async function invoke(): Promise<number> {
    const { ms, body } = await unlessEnded(api.invoke(event()));
    if (!body.includes('"statusCode":200')) throw new Error(`${variant.name} answered ${body}`);
    return ms;
  }

  let cpuMs = Number.NaN;
  async function run(requests: number): Promise<Taken> {
    const ms: number[] = [];
    const before = cpuMs;
    for (let request = 0; request < requests; request++) ms.push(await invoke());
    for (let request = 0; request < requests; request++) cpuMs = await nextCpuMs();
    if (said !== '') throw new Error(`${variant.name} wrote: ${said.slice(0, 1000)}`);
    return { ms, cpuMs: cpuMs - before };
  }

  async function stop(): Promise<void> {
    child.kill('SIGKILL');
    await exited;
    await api.stop();
  }

  try {
    const initMs = (await unlessEnded(api.polled())) - begun;
    cpuMs = await nextCpuMs();
    return { initMs, initCpuMs: cpuMs, run, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
