import { createMapper } from '../../../contract/events/mapping.ts';
import { type EventToRender, RenderError, renderEvent } from '../../../contract/events/render.ts';
import { parseTime } from '../../../contract/events/time.ts';
import { normalizePhone } from '../../../contract/phone/phone-number.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { SmsEvent } from '../../../contract/schema/sms-event.ts';
import { UsageError } from '../../target/errors.ts';

/** What a person said of the event; the rest is made up. */
export interface SampleOptions {
  readonly kind: 'status' | 'reply';
  readonly messageId?: string;
  readonly status?: string;
  readonly to?: string;
  readonly from?: string;
  readonly text?: string;
  readonly sendId?: string;
  readonly replyId?: string;
  readonly at?: string;
  readonly eventId?: string;
}

/** An event as the service would write it. */
export interface SampleEvent {
  /** As the pipeline will read it. */
  readonly event: SmsEvent;
  /** The id that the signature covers, where the scheme has one. */
  readonly signedId: string;
  readonly body: Uint8Array;
  readonly contentType: string;
}

/** Numbers that nobody has (+1 202 555 0100 to 0199 are kept for fiction). */
export const samplePhone = '+12025550143';
const ownNumber = '+12025550100';

/** The field of the contract that each option fills, by kind; an option that is absent does not belong to the kind. */
const fieldOf = {
  status: { messageId: 'messageId', status: 'status', to: 'recipient', sendId: 'sendId' },
  reply: { messageId: 'messageId', replyId: 'replyId', from: 'from', to: 'to', text: 'text' },
} as const;

const flags = {
  messageId: '--message-id',
  status: '--status',
  to: '--to',
  from: '--from',
  text: '--text',
  sendId: '--send-id',
  replyId: '--reply-id',
} as const;

/**
 * Makes an event by the contract.
 *
 * @param now milliseconds since the epoch
 * @throws UsageError where the options do not make an event that the pipeline could read
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
    ...given(contract, options),
    occurredAt: timeOf(options.at, now),
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
  for (const [name, flag] of Object.entries(flags)) {
    if (optionOf(options, name) === undefined) continue;
    const field = fields[name];
    if (field === undefined)
      throw new UsageError(`${flag} does not belong to an event of --kind ${options.kind}.`);
    if (expressions[field] === null)
      throw new UsageError(
        `${flag}: the contract has no place for it (events.${options.kind}.${field} is null).`,
      );
  }
  if (options.eventId !== undefined && contract.events.id.from === 'content')
    throw new UsageError("--event-id: the contract makes an event's id from its content (events.id).");
}

function optionOf(options: SampleOptions, name: string): string | undefined {
  const byName: Readonly<Record<string, string | undefined>> = { ...options };
  return byName[name];
}

function signsId({ webhook: { signature } }: Contract): boolean {
  return 'id' in signature && signature.id !== null;
}

function defaultsOf({ kind, messageId }: SampleOptions, newId: () => string): Record<string, string> {
  const suffix = newId().slice(0, 8);
  if (kind === 'reply')
    return { replyId: `reply-${suffix}`, from: samplePhone, to: ownNumber, text: 'Thanks' };
  const preset = { messageId: `msg-${suffix}`, status: 'delivered', recipient: samplePhone };
  // A message that a person names may have got reports before: another send would contradict them.
  return messageId === undefined ? { ...preset, sendId: `send-${suffix}` } : preset;
}

function given({ events }: Contract, options: SampleOptions): Record<string, string> {
  const entries = Object.entries(fieldOf[options.kind]).flatMap(([name, field]) => {
    const value = optionOf(options, name);
    if (value === undefined) return [];
    const isPhone = name === 'to' || name === 'from';
    return [[field, isPhone ? normalizePhone(value, events.defaultCountry) : value] as const];
  });
  return Object.fromEntries(entries);
}

function timeOf(at: string | undefined, now: number): string {
  if (at === undefined) return new Date(now).toISOString();
  const time = parseTime('iso8601', at.trim());
  if (time !== undefined) return time;
  throw new UsageError(`--at "${at}" is no time: expected ISO 8601, for example 2026-01-15T12:00:05Z.`);
}

function write(contract: Contract, event: EventToRender) {
  try {
    return renderEvent(contract, event);
  } catch (error) {
    if (error instanceof RenderError)
      throw new UsageError(`The contract does not tell how to write such an event: ${error.message}`);
    throw error;
  }
}
