import type { Exercise } from './exercise.ts';
import {
  exerciseBillingWatch,
  exerciseContactSync,
  exerciseFailureAlert,
  exerciseForward,
  exerciseOptOut,
} from './exercises/automations.ts';
import { exerciseQuery, exerciseSweep } from './exercises/history.ts';
import { exerciseIngest, exercisePublisher, exerciseSetup, exerciseWorker } from './exercises/pipeline.ts';

/** Every function of the pipeline, by the name permissions.json has for it. */
export const exercises: ReadonlyMap<string, Exercise> = new Map([
  ['ingest', exerciseIngest],
  ['worker', exerciseWorker],
  ['publisher', exercisePublisher],
  ['setup', exerciseSetup],
  ['query', exerciseQuery],
  ['sweep', exerciseSweep],
  ['opt-out', exerciseOptOut],
  ['contact-sync', exerciseContactSync],
  ['failure-alert', exerciseFailureAlert],
  ['forward', exerciseForward],
  ['billing-watch', exerciseBillingWatch],
]);
