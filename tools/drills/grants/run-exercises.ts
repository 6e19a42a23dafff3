import pMap from 'p-map';
import { errorText } from '../../engine/print.ts';
import { endProcess } from '../../engine/run.ts';
import { until } from '../../support/until.ts';
import type { Exercise, Stage } from './exercise.ts';
import {
  exerciseBillingWatch,
  exerciseContactSync,
  exerciseFailureAlert,
  exerciseForward,
  exerciseOptOut,
} from './exercises/automations.ts';
import { exerciseDeliveryWatch } from './exercises/delivery-watch.ts';
import { exerciseQuery, exerciseSweep } from './exercises/history.ts';
import { exerciseInsights } from './exercises/insights.ts';
import { exerciseLookups } from './exercises/lookups.ts';
import { exerciseIngest, exercisePublisher, exerciseSetup, exerciseWorker } from './exercises/pipeline.ts';
import type { TestBed } from './test-bed.ts';

/** Every function of the pipeline, by the name permissions.json has for it. */
export const exercises: ReadonlyMap<string, Exercise> = new Map([
  ['ingest', exerciseIngest],
  ['worker', exerciseWorker],
  ['publisher', exercisePublisher],
  ['insights', exerciseInsights],
  ['setup', exerciseSetup],
  ['query', exerciseQuery],
  ['sweep', exerciseSweep],
  ['lookups', exerciseLookups],
  ['opt-out', exerciseOptOut],
  ['contact-sync', exerciseContactSync],
  ['failure-alert', exerciseFailureAlert],
  ['forward', exerciseForward],
  ['billing-watch', exerciseBillingWatch],
  ['delivery-watch', exerciseDeliveryWatch],
]);

/** How long an exercise waits for one thing. */
const deadlineMs = 45_000;

/** Where all are run, so many at once. */
const concurrentExercises = 4;

/** On a machine that is busy with something else calls time out, which is not a defect. */
const maxAttempts = 3;

/** The reason why an exercise failed, or undefined. */
export type ExerciseOutcome = { readonly failure: string | undefined };

/**
 * Runs the exercise of a function. Never throws.
 * @param signal ends it soon, as a failure
 */
export async function runExercise(
  bed: TestBed,
  functionName: string,
  signal: AbortSignal,
): Promise<ExerciseOutcome> {
  const exercise = exercises.get(functionName);
  if (exercise === undefined) return { failure: `there is no exercise for ${functionName}` };
  const aborted = new Promise<ExerciseOutcome>((resolve) => {
    signal.addEventListener('abort', () => resolve({ failure: 'broken off' }), { once: true });
  });
  return Promise.race([performed(exercise, stageOf(bed, signal)), aborted]);
}

async function performed(exercise: Exercise, stage: Stage): Promise<ExerciseOutcome> {
  try {
    await exercise(stage);
    return { failure: undefined };
  } catch (error) {
    return { failure: errorText(error) };
  }
}

/** As {@link runExercise}, and again where it failed, twice at most. */
export async function insistOnExercise(
  bed: TestBed,
  functionName: string,
  signal: AbortSignal,
): Promise<ExerciseOutcome> {
  let outcome: ExerciseOutcome = { failure: 'not begun' };
  for (let tries = 0; tries < maxAttempts && outcome.failure !== undefined && !signal.aborted; tries++)
    outcome = await runExercise(bed, functionName, signal);
  return outcome;
}

/** Runs all exercises. @returns why those failed that did, by function */
export async function runAllExercises(bed: TestBed): Promise<ReadonlyMap<string, string>> {
  const { signal } = new AbortController();
  const failures = new Map<string, string>();
  const insist = async (name: string) => {
    const { failure } = await insistOnExercise(bed, name, signal);
    if (failure !== undefined) failures.set(name, failure);
  };
  await pMap(exercises.keys(), insist, { concurrency: concurrentExercises });
  return failures;
}

function stageOf(bed: TestBed, signal: AbortSignal): Stage {
  const eventually: Stage['eventually'] = (what, ask) =>
    until(
      what,
      () => {
        signal.throwIfAborted();
        return ask();
      },
      deadlineMs,
    );
  return {
    ...bed,
    eventually,
    async restart(functionName) {
      const hosts = bed.pipeline.processes(functionName);
      for (const pid of hosts) endProcess(pid);
      await eventually(`${functionName} is gone`, () => {
        return !bed.pipeline.processes(functionName).some((pid) => hosts.includes(pid));
      });
    },
  };
}
