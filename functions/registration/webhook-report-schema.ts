import * as z from 'zod';
import type { WebhookReport } from './webhook-report.ts';

const time = z.iso.datetime();

/** The schema drops properties that it does not name, so that an unexpected secret in an answer is never printed. */
export const webhookReport = z.object({
  webhookUrl: z.string(),
  registeredUrl: z.string(),
  state: z.enum(['registered', 'elsewhere', 'deactivated', 'never-configured', 'unknown', 'by-hand']),
  serviceFailure: z.string().nullable(),
  desiredState: z.enum(['registered', 'deactivated']).nullable(),
  secret: z.object({
    stored: z.boolean(),
    matchesService: z.boolean().nullable(),
    since: time.nullable(),
    previousValidUntil: time.nullable(),
    rotating: z.object({ since: time, by: z.string() }).nullable(),
  }),
  drift: z
    .object({
      kinds: z.array(z.enum(['url-changed', 'deactivated', 'settings-changed', 'secret-rotated'])),
      since: time,
    })
    .nullable(),
  lastReconcile: z.object({ at: time, failure: z.string().nullable() }).nullable(),
  lastVerifiedAt: time.nullable(),
  mismatchesLastHour: z.int().nonnegative(),
}) satisfies z.ZodType<WebhookReport>;
