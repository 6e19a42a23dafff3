import { rmSync } from 'node:fs';
import { type LocalPipeline, startLocalPipeline } from '../../support/local-pipeline.ts';
import { createLoad, type Load } from './load.ts';

/** As a shell tells that Ctrl-C has ended a program. */
const interruptedExitCode = 130;

/** Starts a pipeline for as long as it is used. It and its folder go on every way out, Ctrl-C too. */
export async function withPipeline(
  settings: Readonly<Record<string, string>>,
  use: (pipeline: LocalPipeline, load: Load) => Promise<void>,
): Promise<void> {
  const pipeline = await startLocalPipeline(settings);
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= pipeline.stop().then(() => rmSync(pipeline.directory, { recursive: true, force: true }));
    return ending;
  };
  const interrupt = () => void end().finally(() => process.exit(interruptedExitCode));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    const load = await createLoad(pipeline);
    await use(pipeline, load);
    load.close();
  } finally {
    await end();
    for (const signal of signals) process.off(signal, interrupt);
  }
}
