import type { LocalPipeline } from '../support/local-pipeline.ts';
import { until } from '../support/until.ts';

/** A fill takes a minute of two processors, and many times that on a machine that does other work. */
const fillDeadlineMs = 30 * 60_000;

/**
 * Waits for the sample, and returns the address of the console.
 *
 * @throws Error with what the run printed, as soon as it has ended or lacks the sample or the console
 */
export async function consoleOfSample(
  pipeline: Pick<LocalPipeline, 'printed' | 'hasEnded'>,
): Promise<string> {
  const isEnd = () => pipeline.hasEnded() || /the sample is there|^missing: /m.test(pipeline.printed());
  await until('the sample is there', isEnd, fillDeadlineMs);
  const printed = pipeline.printed();
  const [, address] = /^console (http:\S+)$/m.exec(printed) ?? [];
  if (pipeline.hasEnded()) throw new Error(`The run ended before the pictures were taken:\n${printed}`);
  if (address === undefined || printed.includes('missing: '))
    throw new Error(`The sample or the console is missing:\n${printed}`);
  return address;
}
