import { z } from 'zod';
import { listOf, offOrOn, wholeNumber } from './kinds.ts';

/** Of the event bus and what is put on it. */
export const eventSettings = {
  everyEvent: offOrOn(),
  publisherParallelism: wholeNumber(2, 1, 10, 'batches of a shard at once'),
  eventArchiveDays: wholeNumber(30, 0, 3650, 'days').describe(
    'expected a whole number of days from 1 to 3650, or 0 for no archive',
  ),
  // Each is in two statements of the bus's policy, which takes 10,240 characters.
  eventBusAccounts: listOf(
    z.string().regex(/^\d{12}$/),
    [],
    'ids of AWS accounts as text, 12 digits each',
    50,
  ),
  eventSchemaRegistry: offOrOn(),
};
