import * as z from 'zod';

const plain = z.strictObject({ action: z.enum(['status', 'register', 'deactivate', 'reconcile']) });
const rotate = z.strictObject({
  action: z.literal('rotate'),
  force: z.boolean().default(false),
  overlap: z.boolean().default(true),
});
const minuteMs = 60_000;
const captureMs = z
  .int()
  .min(minuteMs)
  .max(1_440 * minuteMs);
const capture = z.strictObject({
  action: z.literal('capture'),
  /** How long from now on, in milliseconds; 0 ends it, and without it nothing is changed. */
  forMs: z.union([z.literal(0), captureMs]).exactOptional(),
});
const request = z.union([plain, rotate, capture]);

/** What is to be done about the webhook. */
export type ActionRequest = z.output<typeof plain | typeof rotate>;

/** Whether requests that would be refused are to be captured. */
export type CaptureRequest = z.output<typeof capture>;

/** What a direct invocation asks for. */
export type SetupRequest = z.output<typeof request>;

/** What is said to an invocation that asks for something else. */
export const requestHint =
  'Expected {"action": "status" | "register" | "deactivate" | "reconcile"}, {"action": "rotate", "force": true or false, "overlap": true or false}, or {"action": "capture", "forMs": milliseconds from 60000 to 86400000, or 0 to end it}';

/** Undefined for an event that is none. */
export function parseSetupRequest(event: unknown): SetupRequest | undefined {
  return request.safeParse(event).data;
}
