import type { Contract } from '../schema/contract-schema.ts';
import { isObject } from '../text/json.ts';
import { renderTime } from '../text/time.ts';
import { encodeForm, lenientExpression, parseBody } from './body.ts';
import { isPlain, placesIn, putAt, valueAt } from './places.ts';

/** An event to write as the service would. */
export interface EventToRender {
  readonly kind: 'sms.status' | 'sms.reply';
  /** The fields by the contract's names (`messageId`, `status`, ...). Times are ISO 8601; a status is canonical or any word. */
  readonly fields: Readonly<Record<string, string>>;
  /** The event's id. It is ignored if the contract does not read the id from a field of its own in the body. */
  readonly eventId?: string;
}

/** Thrown if the contract does not show how to write an event, or does not know one of its fields. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}

/** Every event has these fields. Where the caller leaves one out, it stays as in the sample. */
const required = {
  'sms.status': new Set(['messageId', 'status', 'occurredAt']),
  'sms.reply': new Set(['from', 'text', 'occurredAt']),
};

/**
 * Writes the body of one event, which reverses the mapping. It takes the contract's sample of that kind, if possible with the same status,
 * and puts the fields in place. Fields that the caller leaves out are removed, except required ones and those that share their place
 * with others.
 *
 * @throws RenderError if no sample holds exactly one event of the kind, or the result would be read as something else
 */
export function renderEvent(
  contract: Contract,
  { kind, fields, eventId }: EventToRender,
): { body: Uint8Array; contentType: string } {
  const { events, webhook } = contract;
  const ofKind = kind === 'sms.status' ? events.status : events.reply;
  const names = Object.keys(ofKind);
  const unknown = Object.keys(fields).find((field) => !names.includes(field));
  if (unknown !== undefined)
    throw new RenderError(`${kind} has no field "${unknown}"; it has ${names.join(', ')}`);
  const expressions = Object.entries<string | null>({
    ...ofKind,
    ...(events.id.from === 'body' ? { id: events.id.path } : {}),
  }).flatMap(([field, text]) => (text === null ? [] : [{ field, text }]));
  /** Reports whether neither the kind nor another field is read from the field's places. */
  const hasOwnPlaces = ({ field, text }: { field: string; text: string }): boolean => {
    const others = expressions.flatMap((other) => (other.field === field ? [] : other.text));
    const used = new Set([events.kind, ...others].flatMap(placesIn).map(String));
    return isPlain(text) && placesIn(text).every((place) => !used.has(String(place)));
  };
  const writings = expressions.flatMap(({ field, text }): Writing[] => {
    const value = fields[field];
    return value === undefined ? [] : [{ field, text, values: writtenValues(contract, field, value) }];
  });

  const { body, event, shown } = sampleFor(contract, kind, writings);
  for (const expression of expressions) {
    const { field, text } = expression;
    if (fields[field] !== undefined || required[kind].has(field) || !hasOwnPlaces(expression)) continue;
    // A price that cannot be removed would be left without its currency.
    if (field === 'currency' && !expressions.some((one) => one.field === 'price' && hasOwnPlaces(one)))
      continue;
    for (const place of placesIn(text)) putAt(event, place, undefined);
  }
  // The id comes first: if it shares its place with a field, the field decides.
  if (events.id.from === 'body' && eventId !== undefined)
    write(event, { field: 'id', text: events.id.path, values: [eventId] }, shown);
  for (const writing of writings) {
    const { field, text } = writing;
    if (!write(event, writing, shown))
      throw new RenderError(`cannot write "${field}": its expression does not name a place for it: ${text}`);
  }
  const bytes = bytesOf(webhook, body);
  requireReadable(contract, kind, bytes, writings);
  return {
    body: bytes,
    contentType: contentTypeOf(contract),
  };
}

/** Returns the media type of the bodies that a service sends. */
export function contentTypeOf({ webhook }: Pick<Contract, 'webhook'>): string {
  return webhook.bodyFormat === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
}

const bytesOf = ({ bodyFormat, charset }: Contract['webhook'], body: unknown): Uint8Array =>
  bodyFormat === 'json' ? Buffer.from(JSON.stringify(body)) : encodeForm(body, charset);

/** The possible values of a field, and the expression that must find one of them. */
interface Writing {
  readonly field: string;
  readonly text: string;
  readonly values: readonly (string | number)[];
}

function writtenValues(contract: Contract, field: string, value: string): readonly (string | number)[] {
  if (field === 'occurredAt')
    return [renderTime(contract.events.timeFormat, value, contract.events.timeZone)];
  if (field !== 'status' || contract.statuses[value] === value) return [value];
  const words = Object.entries(contract.statuses).flatMap(([word, canonical]) =>
    canonical === value ? [word] : [],
  );
  return words.length === 0 ? [value] : words;
}

/** Finds a sample with an event of the kind. @returns its body with that event alone, the event within it, and all events of the kind */
function sampleFor(
  contract: Contract,
  kind: string,
  writings: readonly Writing[],
): { body: unknown; event: Record<string, unknown>; shown: readonly unknown[] } {
  const { list, kind: kindOf } = contract.events;
  const status = writings.find(({ field }) => field === 'status');
  // A sample without expected events only shows a signature.
  const { method: main = 'POST' } = contract.webhook;
  // The event is sent in the main form of requests.
  const samples = contract.samples.filter(
    ({ becomes, method = main }) => becomes !== undefined && method === main,
  );
  const candidates = samples.flatMap((sample) => {
    const events = lenientExpression(list)(bodyOf(contract, sample));
    return Array.isArray(events)
      ? events.map((event: unknown, position) => ({ sample, position, event }))
      : [];
  });
  const ofKind = candidates.filter(({ event }) => lenientExpression(kindOf)(event) === kind);
  const withStatus = ofKind.filter(({ event }) => status !== undefined && reads(event, status));
  for (const { sample, position } of [...withStatus, ...ofKind]) {
    const body = structuredClone(bodyOf(contract, sample));
    const events = lenientExpression(list)(body);
    const event: unknown = Array.isArray(events) ? events[position] : undefined;
    if (!Array.isArray(events) || !isObject(event)) continue;
    // Remove the other events. A list that the expression itself builds keeps them, and then the sample cannot be used.
    if (events.length > 1) events.splice(0, events.length, event);
    if ([lenientExpression(list)(body)].flat().length === 1)
      return { body, event, shown: ofKind.map(({ event }) => event) };
  }
  const hint =
    contract.webhook.reads === undefined
      ? ''
      : ': events that need values of the URL (webhook.reads) cannot be written';
  throw new RenderError(`the contract's samples hold no body with one ${kind} event${hint}`);
}

function bodyOf({ webhook }: Contract, { body, bodyText }: Contract['samples'][number]): unknown {
  if (bodyText === undefined) return body;
  const parsed = parseBody(webhook, Buffer.from(bodyText));
  return parsed.kind === 'parsed' ? parsed.value : undefined;
}

/** Puts one of the values at a place where the expression finds it. @param shown the events of the samples @returns whether there is such a place */
function write(event: Record<string, unknown>, writing: Writing, shown: readonly unknown[]): boolean {
  if (reads(event, writing)) return true;
  for (const place of placesIn(writing.text)) {
    const before = valueAt(event, place);
    for (const value of writing.values) {
      putAt(event, place, asShown(value, writing.text, shown));
      if (reads(event, writing)) return true;
    }
    putAt(event, place, before);
  }
  return false;
}

/** Returns a text of digits as a number if a sample has a number there, so that it has a type that the contract expects. */
function asShown(value: string | number, text: string, shown: readonly unknown[]): string | number {
  if (String(Number(value)) !== value) return value;
  const isNumber = shown.some((event) => typeof lenientExpression(text)(event) === 'number');
  return isNumber ? Number(value) : value;
}

/** Checks the result: fields may share a place, and a place may decide the kind. */
function requireReadable(
  { events, webhook }: Contract,
  kind: string,
  bytes: Uint8Array,
  writings: readonly Writing[],
): void {
  const parsed = parseBody(webhook, bytes);
  const list = lenientExpression(events.list)(parsed.kind === 'parsed' ? parsed.value : undefined);
  const event: unknown = Array.isArray(list) && list.length === 1 ? list[0] : undefined;
  if (lenientExpression(events.kind)(event) !== kind)
    throw new RenderError(`the contract would not read these fields as ${kind}`);
  const wrong = writings.find((writing) => !reads(event, writing));
  if (wrong !== undefined)
    throw new RenderError(`the contract would read another value of "${wrong.field}": ${wrong.text}`);
}

function reads(event: unknown, { text, values }: Writing): boolean {
  const actual = String(lenientExpression(text)(event) ?? '');
  return values.some((value) => actual === String(value));
}
