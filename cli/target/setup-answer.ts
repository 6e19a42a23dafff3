import * as z from 'zod';
import type { WebhookReport } from '../../functions/registration/webhook-report.ts';
import type { CaptureReport } from '../../functions/webhook/capture-decision.ts';
import { sanitize } from '../text/sanitize.ts';
import { CommandFailure } from './errors.ts';

const time = z.iso.datetime();

/** What is not named here is dropped, so that a secret an answer should not hold is not printed either. */
const report: z.ZodType<WebhookReport> = z.object({
  webhookUrl: z.string(),
  registeredUrl: z.string(),
  state: z.enum(['registered', 'elsewhere', 'deactivated', 'never-configured', 'unknown', 'by-hand']),
  serviceFailure: z.string().nullable(),
  wanted: z.enum(['registered', 'deactivated']).nullable(),
  secret: z.object({
    stored: z.boolean(),
    matchesService: z.boolean().nullable(),
    since: time.nullable(),
    previousValidUntil: time.nullable(),
    rotating: z.object({ since: time, by: z.string() }).nullable(),
  }),
  drift: z
    .object({ kinds: z.array(z.enum(['url-changed', 'deactivated', 'secret-rotated'])), since: time })
    .nullable(),
  lastReconcile: z.object({ at: time, failure: z.string().nullable() }).nullable(),
  lastVerifiedAt: time.nullable(),
  mismatchesLastHour: z.int().nonnegative(),
  captureUntil: time.nullable(),
});

const captureReport: z.ZodType<CaptureReport> = z.object({
  capture: z
    .object({
      until: time,
      decidedBy: z.enum(['setting', 'command']),
      captured: z.int().nonnegative(),
      leftOut: z.int().nonnegative(),
    })
    .nullable(),
  setting: time.nullable(),
});

const failure = z.object({ error: z.object({ kind: z.string(), message: z.string() }) });

/**
 * Reads what the setup function answered about the webhook.
 *
 * @throws CommandFailure with the function's own message where it could not do what it was asked for
 */
export function readReport(answer: unknown): WebhookReport {
  return readAnswer(answer, report);
}

/** The same of what it answered about capturing. @throws CommandFailure */
export function readCaptureReport(answer: unknown): CaptureReport {
  return readAnswer(answer, captureReport);
}

function readAnswer<T>(answer: unknown, schema: z.ZodType<T>): T {
  const failed = failure.safeParse(answer);
  if (failed.success) {
    const { kind, message } = failed.data.error;
    throw new CommandFailure(`${sanitize(message)} (${sanitize(kind)})`);
  }
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(
    'The setup function answered something this version does not know: deploy (or npm start) from the same version as this command.',
  );
}
