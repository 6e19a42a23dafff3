import { rmSync } from 'node:fs';
import { type LocalPipeline, startLocalPipeline } from '../support/local-pipeline.ts';

/** As a shell tells that Ctrl-C has ended a program. */
const interruptedExitCode = 130;

/** Starts a pipeline for as long as it is used. It and its folder go on every way out, Ctrl-C while it starts too. */
export async function withPipeline<Result>(
  settings: Readonly<Record<string, string>>,
  use: (pipeline: LocalPipeline) => Promise<Result>,
): Promise<Result> {
  // No signal is told of before the handlers are there: this is one turn of the event loop.
  const starting = startLocalPipeline(settings);
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= starting.then(async (pipeline) => {
      await pipeline.stop();
      rmSync(pipeline.directory, { recursive: true, force: true });
    });
    return ending;
  };
  const exit = () => process.exit(interruptedExitCode);
  const interrupt = () => void end().then(exit, exit);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await use(await starting);
  } finally {
    await end();
    for (const signal of signals) process.off(signal, interrupt);
  }
}
