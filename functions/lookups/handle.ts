import * as z from 'zod';
import type { Deadline } from '../base/basics.ts';
import type { ApiKeyResult } from '../base/sms-service/api-key-store.ts';
import { lookUpByRequest, readStatus } from './by-request.ts';
import { LookupsRefusedError, lookUpBySchedule, type ScheduleDependencies } from './by-schedule.ts';
import type { ServiceLookups } from './service-lookups-client.ts';
import { type LookupAnswer, type LookupStatus, lookupRequest } from './shapes.ts';

export interface HandleDependencies extends Omit<ScheduleDependencies, 'lookups'> {
  readonly readApiKey: () => Promise<ApiKeyResult>;
  readonly connect: (apiKey: string) => ServiceLookups;
  /** The end of a run of the schedule. */
  readonly deadline: Deadline;
  /** The end of one answer to a request. */
  readonly requestDeadline: Deadline;
}

const scheduled = z.object({ source: z.literal('aws.events') });

/**
 * Runs the schedule, or answers a request.
 *
 * @throws LookupsRefusedError if a run of the schedule has no API key, or as {@link lookUpBySchedule}
 */
export async function handle(
  event: unknown,
  dependencies: HandleDependencies,
): Promise<LookupAnswer | LookupStatus | undefined> {
  const { readApiKey, connect, deadline, requestDeadline, state, log, count } = dependencies;
  const isScheduled = scheduled.safeParse(event).success;
  const request = isScheduled ? undefined : lookupRequest.safeParse(event);
  if (request?.success === false)
    return { error: { kind: 'bad-request', message: z.prettifyError(request.error) } };
  if (request?.data.action === 'status') return readStatus(state);

  const apiKey = await readApiKey();
  if (apiKey.kind === 'error') {
    if (request !== undefined) return { error: apiKey.error };
    await state.write({ ...(await state.read()), stoppedBy: apiKey.error.kind });
    count('lookupsFailed');
    log('LOOKUPS_STOPPED', { reason: apiKey.error.kind });
    throw new LookupsRefusedError(apiKey.error.kind);
  }
  const lookups = connect(apiKey.value);
  if (request !== undefined)
    return lookUpByRequest(request.data, { ...dependencies, lookups }, requestDeadline);
  await lookUpBySchedule({ ...dependencies, lookups }, deadline);
  return undefined;
}
