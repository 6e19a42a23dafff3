import * as z from 'zod';
import { healthSchema, replaySchema } from '../views/console-schemas.ts';
import { quarantinePath } from './parameters.ts';

// What a console asks in addition to the queries. `sms console` answers it with the operator's own permissions, and the function `console` where the console is deployed.

export const replayBody = z.strictObject({
  acceptDuplicates: z
    .boolean()
    .optional()
    .describe('Whether to send an entry whose events may be stored already, under other ids.'),
});

/** The requests that only a console's server answers. */
export const consoleRoutes = {
  getHealth: {
    path: '/v1/health',
    summary: 'The state of the webhook, its secret, the queues and alarms, and the contract',
    parameters: z.object({}),
    answer: healthSchema,
  },
  replayQuarantineEntry: {
    path: '/v1/quarantine/{entryId}/replay',
    summary: 'Sends an entry of the quarantine through the worker again',
    parameters: quarantinePath,
    body: replayBody,
    answer: replaySchema,
  },
} as const;
