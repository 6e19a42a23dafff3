import { z } from 'zod';
import { detailTypes } from '../../functions/bus/event-types.ts';
import { listOf, offOrOn, wholeNumber } from './setting-types.ts';

const everyDetailType = Object.values(detailTypes);

/** Two lists of so many fit into the 4 KB that Lambda has for the environment of a function, whatever else is in it. */
const mostLists = 20;

const listIds = () => listOf(z.guid(), [], 'ids of contact lists at the SMS service, UUIDs', mostLists);

/** Events are on their way without TLS only to where they never leave the machine. */
function isForwardTarget(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === 'localhost';
}

/** A URL is in the template and the console for many to read: it has no part in which keys are handed over. */
function holdsNoKey(address: string): boolean {
  const { username, password } = new URL(address);
  return username === '' && password === '' && !/[?#]/.test(address);
}

/** Of the automations: all are off until they are switched on. */
export const automationSettings = {
  optOutContacts: offOrOn(),
  optOutListIds: listIds(),
  optInListIds: listIds(),
  contactSync: offOrOn(),
  contactListIds: listIds(),
  contactSyncPeriodHours: wholeNumber(24, 1, 8760, 'hours'),
  failureAlert: offOrOn(),
  failureAlertMinutes: wholeNumber(15, 5, 1440, 'minutes'),
  forwardUrl: z
    .url({ protocol: /^https?$/, abort: true })
    .max(2048, { abort: true })
    .refine(isForwardTarget, { abort: true })
    .refine(
      holdsNoKey,
      'expected a URL without user name, password, query and fragment: whoever may read the template would read a key there. Leave them out, and have the receiver verify the signature (docs/automations/forward.md); what it must know besides belongs into the path, and is no secret',
    )
    .optional()
    .describe(
      'expected an https URL of at most 2048 characters, or http on 127.0.0.1 or localhost, or no such key to forward nothing',
    ),
  forwardDetailTypes: listOf(
    z.enum(everyDetailType),
    [detailTypes.statusChanged, detailTypes.replyReceived, detailTypes.optOut, detailTypes.optIn],
    `some of ${everyDetailType.map((type) => `"${type}"`).join(', ')}`,
    everyDetailType.length,
  ),
  billingWatch: offOrOn(),
  billingWatchDays: wholeNumber(30, 1, 365, 'days'),
};
