import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { LocalRun } from '../run/run.ts';
import type { Shutdown } from '../run/shutdown.ts';
import type { ReportFill } from '../run/start-console.ts';
import { type Progress, reasonOf, UserError } from '../terminal/terminal.ts';
import { fill, sendSample } from './fill.ts';
import { createTraffic, type SampleEvent, sampleDays, type Traffic } from './traffic.ts';

const liveStepMs = 1000;

/** What a run with kept tables knows of the sample in them. Times are milliseconds since the epoch. */
const stateSchema = z.object({
  /** When the sample was first played. */
  begun: z.number(),
  /** Until when the tables have it; missing if the first fill was interrupted. */
  filledUntil: z.number().exactOptional(),
});

type SampleState = z.output<typeof stateSchema>;

/**
 * Fills the pipeline with the sample, and then sends live traffic until the run ends. Kept tables get the events since their last fill. A fill
 * that was interrupted is repeated, which changes nothing that is stored already.
 *
 * @param stateFile remembers the sample of kept tables; undefined if they are not kept
 * @param reportFill is called with how far the fill is, and with null at its end
 * @returns what is missing after the fill, one line each
 */
export async function playSample(
  run: LocalRun,
  stateFile: string | undefined,
  progress: Progress,
  shutdown: Pick<Shutdown, 'ending'>,
  reportFill: ReportFill = () => {},
): Promise<string[]> {
  if (!run.registered) return ['the webhook is not registered at the SMS service'];
  const now = Date.now();
  const state = readState(stateFile) ?? { begun: now };
  writeState(stateFile, state);
  const traffic = createTraffic(run.contract, state.begun);
  const played = state.filledUntil === undefined ? [] : traffic.due(state.filledUntil);
  const events = traffic.due(now);
  progress.step(
    played.length === 0
      ? `filling the pipeline with a sample of ${sampleDays} days: ${events.length} events`
      : `the kept tables have a sample, which goes on: ${events.length} events since their last fill`,
  );
  const missing = await fill(run, events, reportFill, played);
  if (missing.length > 0) return missing;
  writeState(stateFile, { ...state, filledUntil: now });
  progress.step('the sample is there; live traffic goes on');
  void sendLive(traffic, {
    send: (due) => sendSample(run, due),
    pause: () => delay(liveStepMs),
    clock: Date.now,
    progress,
    isEnding: () => shutdown.ending,
  });
  return [];
}

/** @throws UserError for a file that no run wrote */
export function readState(file: string | undefined): SampleState | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new UserError(`${file} cannot be read: remove its folder, and the next run fills new tables`);
  }
}

function writeState(file: string | undefined, state: SampleState): void {
  if (file !== undefined) writeFileSync(file, JSON.stringify(state));
}

interface SendLivePorts {
  /** Rejects if not all events were acknowledged. */
  readonly send: (events: readonly SampleEvent[]) => Promise<void>;
  /** Resolves when the next events may be due. */
  readonly pause: () => Promise<unknown>;
  readonly clock: () => number;
  readonly progress: Pick<Progress, 'note' | 'step'>;
  readonly isEnding: () => boolean;
}

/**
 * Sends the events that are due, until the run ends. Events that cannot be sent, for example because the webhook is deactivated, are lost. One
 * line says so for each interruption.
 */
export async function sendLive(
  traffic: Traffic,
  { send, pause, clock, progress, isEnding }: SendLivePorts,
): Promise<void> {
  let isInterrupted = false;
  for (; !isEnding(); await pause()) {
    const due = traffic.due(clock());
    if (due.length === 0) continue;
    try {
      await send(due);
      if (isInterrupted) progress.step('live traffic goes on');
      isInterrupted = false;
    } catch (error) {
      // While the run ends the sandbox ends too.
      if (!isInterrupted && !isEnding())
        progress.note(`live traffic stops until the webhook accepts it: ${reasonOf(error)}`);
      isInterrupted = true;
    }
  }
}
