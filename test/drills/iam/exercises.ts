import type { Exercise } from './exercise.ts';
import { exerciseBillingWatch } from './exercises/billing-watch.ts';
import { exerciseContactSync } from './exercises/contact-sync.ts';
import { exerciseFailureAlert } from './exercises/failure-alert.ts';
import { exerciseForward } from './exercises/forward.ts';
import { exerciseIngest } from './exercises/ingest.ts';
import { exerciseOptOut } from './exercises/opt-out.ts';
import { exercisePublisher } from './exercises/publisher.ts';
import { exerciseQuery } from './exercises/query.ts';
import { exerciseSetup } from './exercises/setup.ts';
import { exerciseSweep } from './exercises/sweep.ts';
import { exerciseWorker } from './exercises/worker.ts';

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
