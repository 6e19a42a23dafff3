import * as z from 'zod';

const plain = z.strictObject({ action: z.enum(['status', 'register', 'deactivate', 'reconcile']) });
const rotate = z.strictObject({
  action: z.literal('rotate'),
  force: z.boolean().default(false),
  overlap: z.boolean().default(true),
});
const request = z.union([plain, rotate]);

/** What a direct invocation asks for. */
export type SetupRequest = z.output<typeof request>;

/** What is said to an invocation that asks for something else. */
export const requestHint =
  'Expected {"action": "status" | "register" | "deactivate" | "reconcile"}, or {"action": "rotate", "force": true or false, "overlap": true or false}';

/** Undefined for an event that is none. */
export function parseSetupRequest(event: unknown): SetupRequest | undefined {
  return request.safeParse(event).data;
}
