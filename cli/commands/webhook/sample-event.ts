import { createMapper } from '../../../contract/events/mapping.ts';
import { type EventToRender, RenderError, renderEvent } from '../../../contract/events/render.ts';
import { readPhone } from '../../../contract/phone/phone-number.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { SmsEvent } from '../../../contract/schema/sms-event.ts';
import { UsageError } from '../../target/errors.ts';

/** The options of the event; the other values are invented. */
export interface SampleOptions {
  readonly kind: 'status' | 'reply';
  readonly messageId?: string;
  readonly status?: string;
  readonly to?: string;
  readonly from?: string;
  readonly text?: string;
  readonly sendId?: string;
  readonly replyId?: string;
  /** ISO 8601 in UTC. */
  readonly at?: string;
  readonly eventId?: string;
}

/** An event in the service's format. */
export interface SampleEvent {
  /** The event as the pipeline reads it. */
  readonly event: SmsEvent;
  /** The id that the signature covers, if its scheme has one. */
  readonly signedId: string;
  readonly body: Uint8Array;
  readonly contentType: string;
}

/** Fictitious numbers (+1 202 555 0100 to 0199 are reserved for fiction). */
export const samplePhone = '+12025550143';
const ownNumber = '+12025550100';

/** Maps each option to the contract's field that it fills, by kind. An option that is absent does not apply to the kind. */
const fieldOf = {
  status: { messageId: 'messageId', status: 'status', to: 'recipient', sendId: 'sendId' },
  reply: { messageId: 'messageId', replyId: 'replyId', from: 'from', to: 'to', text: 'text' },
} as const;

/** The options that fill a field of an event. */
const eventOptions = ['messageId', 'status', 'to', 'from', 'text', 'sendId', 'replyId'] as const;

/**
 * Makes an event by the contract.
 *
 * @param now milliseconds since the epoch
 * @throws UsageError if the options do not make an event that the pipeline can read
 */
export function makeSample(
  contract: Contract,
  options: SampleOptions,
  now: number,
  newId: () => string,
): SampleEvent {
  checkOptions(contract, options);
  const signedId = options.eventId ?? `evt-${newId()}`;
  const fields = {
    ...defaultsOf(options, newId),
    ...suppliedFields(contract, options),
    occurredAt: options.at ?? new Date(now).toISOString(),
  };
  const { body, contentType } = write(contract, { kind: `sms.${options.kind}`, fields, eventId: signedId });
  const [mapped] = createMapper(contract)(body, signsId(contract) ? signedId : undefined, fields.occurredAt);
  if (mapped?.kind === 'event') return { event: mapped.event, signedId, body, contentType };
  const field = mapped?.field === undefined ? '' : `, field ${mapped.field}`;
  throw new UsageError(
    `The pipeline could not read such an event (${mapped?.reason ?? 'no event'}${field}).`,
  );
}

function checkOptions(contract: Contract, options: SampleOptions): void {
  const fields: Readonly<Record<string, string>> = fieldOf[options.kind];
  const expressions: Readonly<Record<string, string | null>> = contract.events[options.kind];
  for (const name of eventOptions) {
    if (options[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const field = fields[name];
    if (field === undefined) throw new UsageError(`${flag} does not apply to --kind ${options.kind}.`);
    if (expressions[field] === null)
      throw new UsageError(
        `${flag}: the contract has no field for it (events.${options.kind}.${field} is null).`,
      );
  }
  if (options.eventId !== undefined && contract.events.id.from === 'content')
    throw new UsageError("--event-id: the contract makes an event's id from its content (events.id).");
}

function signsId({ webhook: { signature } }: Contract): boolean {
  return 'id' in signature && signature.id !== null;
}

function defaultsOf({ kind, messageId }: SampleOptions, newId: () => string): Record<string, string> {
  const suffix = newId().slice(0, 8);
  if (kind === 'reply')
    return { replyId: `reply-${suffix}`, from: samplePhone, to: ownNumber, text: 'Thanks' };
  const preset = { messageId: `msg-${suffix}`, status: 'delivered', recipient: samplePhone };
  // A message that the user names may already have reports, which another send would contradict.
  return messageId === undefined ? { ...preset, sendId: `send-${suffix}` } : preset;
}

function suppliedFields({ events }: Contract, options: SampleOptions): Record<string, string> {
  const fields: Readonly<Record<string, string>> = fieldOf[options.kind];
  const entries = eventOptions.flatMap((name) => {
    const field = fields[name];
    const value = options[name];
    if (field === undefined || value === undefined) return [];
    const isPhone = name === 'to' || name === 'from';
    return [[field, isPhone ? readPhone(value, events).phone : value] as const];
  });
  return Object.fromEntries(entries);
}

function write(contract: Contract, event: EventToRender) {
  try {
    return renderEvent(contract, event);
  } catch (error) {
    if (error instanceof RenderError)
      throw new UsageError(`The contract cannot express such an event: ${error.message}`);
    throw error;
  }
}
