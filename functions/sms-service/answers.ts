import * as z from 'zod';

/** What the service's document shows of answers and requests; fields it does not show are left out. */

/** Body of contact creation. The contact is found again by its phone: creating is an upsert. */
export interface ContactInput {
  readonly phone: string;
  readonly full_name?: string;
  readonly email?: string;
  /** UUIDs of the lists the contact is attached to. */
  readonly lists?: readonly string[];
}

/** Body of setting the webhook. */
export interface WebhookInput {
  /** Receives `sms.status` and `sms.reply`; empty deactivates the webhook. */
  readonly url: string;
  /** True replaces the signing secret. */
  readonly rotate_secret?: boolean;
}

export const contactId = z.guid();

const card = z.object({
  id: z.guid(),
  /** The last 4 digits. */
  number: z.string(),
  name: z.string(),
  alias: z.string(),
  /** Expiry, as MM/YY. */
  validate: z.string(),
  flag: z.string(),
  default: z.boolean(),
});

/** A saved card. */
export type Card = z.output<typeof card>;

export const cardListing = z.object({ data: z.array(card) });

/** The webhook's configuration; an empty url means that it is deactivated. */
export interface WebhookConfig {
  readonly url: string;
  readonly secret: string;
}

export const webhookConfig = z.object({ url: z.string(), secret: z.string() });

const textOrNothing = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

/** As {@link webhookConfig}; what is not set may be null or missing: no document says how it is shown. */
export const webhookConfigOrNothing = z.preprocess(
  // Some services write an empty object as an empty list.
  (value) =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0) ? {} : value,
  z.object({ url: textOrNothing, secret: textOrNothing }),
);

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly path: string; readonly expected: string };

/** Reads the text of a success; the problem names the first wrong path and what was expected, never what was there. */
export function decodeAnswer<T>(schema: z.ZodType<T>, text: string): Decoded<T> {
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    return { ok: false, path: '$', expected: 'expected JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    path: ['$', ...(issue?.path ?? []).map(String)].join('.'),
    expected: issue?.code === 'invalid_type' ? `expected ${issue.expected}` : 'expected another form',
  };
}
