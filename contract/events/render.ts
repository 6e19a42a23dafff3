import type { Contract } from '../schema/contract-schema.ts';
import { compileExpression, isObject, parseBody } from './body.ts';
import { renderTime } from './time.ts';

/** Where a value is, from the event on: names of keys, and positions in lists. */
export type Place = readonly (string | number)[];

const name = /[A-Za-z_]\w*|"[^"\\]+"/.source;
const path = new RegExp(`(?:${name})(?:\\.(?:${name})|\\[\\d+\\])*`, 'g');
const literal = /'(?:[^'\\]|\\.)*'|`[^`]*`/g;
const call = /[A-Za-z_]\w*\s*\(/g;

const step = new RegExp(`(${name})|\\[(\\d+)\\]`, 'g');

/** By the expression's text: a contract has few, and events are many. */
const known = new Map<string, readonly Place[]>();

/** The places that a JMESPath expression names, in its order: `a.b[0] || c` has two. */
export function placesIn(expression: string): readonly Place[] {
  const places = known.get(expression) ?? readPlaces(expression);
  known.set(expression, places);
  return places;
}

function readPlaces(expression: string): readonly Place[] {
  const paths = expression.replace(literal, ' ').replace(call, '(').match(path) ?? [];
  return [...new Set(paths)].map((text) =>
    [...text.matchAll(step)].map(([, key = '', position]) =>
      position === undefined ? key.replaceAll('"', '') : Number(position),
    ),
  );
}

/** Whether an expression gives what is at one of its places, and nothing else: `a.b[0]`, or `a || b`. */
export function isPlain(expression: string): boolean {
  return /^[\s|]*$/.test(expression.replace(path, ''));
}

/** Puts a value where it belongs, with the objects and lists on the way there; undefined takes away what is there. */
export function putAt(target: object, [step, ...rest]: Place, value: unknown): void {
  if (step === undefined) return;
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(target, step);
    else Reflect.set(target, step, value);
    return;
  }
  const found: unknown = Reflect.get(target, step);
  const isThere = typeof found === 'object' && found !== null;
  if (!isThere && value === undefined) return;
  const inner = isThere ? found : typeof rest[0] === 'number' ? [] : {};
  if (!isThere) Reflect.set(target, step, inner);
  putAt(inner, rest, value);
}

/** What is at a place; undefined where that is nothing. */
function valueAt(target: object, place: Place): unknown {
  return place.reduce<unknown>(
    (found, step) => (typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined),
    target,
  );
}

/** An event to be written the way the service would write it. */
export interface EventToRender {
  readonly kind: 'sms.status' | 'sms.reply';
  /** By the contract's names (`messageId`, `status`, ...); times in ISO 8601; statuses canonical or any word. */
  readonly fields: Readonly<Record<string, string>>;
  /** The event's id, written where the contract finds it in the body; contracts that find it elsewhere, or make it of other fields, ignore it. */
  readonly eventId?: string;
}

/** Thrown where a contract does not tell how an event is written, or an event has a field it does not know. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}

/** Without these an event is none: where they are not given they stay as the sample has them. */
const required = {
  'sms.status': new Set(['messageId', 'status', 'occurredAt']),
  'sms.reply': new Set(['from', 'text', 'occurredAt']),
};

/**
 * Writes the body of one event, the mapping in reverse: the contract's sample of that kind with the given fields in place, of
 * reports one with that status where there is one. A field that is not given is left out; one that the event cannot do without, or
 * whose expression is more than paths of its own, stays as the sample has it.
 *
 * @throws RenderError where the contract has no sample with one event of the kind, or what was written would be read as something else
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
  /** Whether the field is at places of its own, which neither the kind nor another field is read from. */
  const isApart = ({ field, text }: { field: string; text: string }): boolean => {
    const others = expressions.flatMap((other) => (other.field === field ? [] : other.text));
    const used = new Set([events.kind, ...others].flatMap(placesIn).map(String));
    return isPlain(text) && placesIn(text).every((place) => !used.has(String(place)));
  };
  const writings = expressions.flatMap(({ field, text }): Writing[] => {
    const value = fields[field];
    return value === undefined ? [] : [{ field, text, values: writtenValues(contract, field, value) }];
  });

  const { body, event } = sampleFor(contract, kind, writings);
  for (const expression of expressions) {
    const { field, text } = expression;
    if (fields[field] !== undefined || required[kind].has(field) || !isApart(expression)) continue;
    for (const place of placesIn(text)) putAt(event, place, undefined);
  }
  // First: an id that is made of other fields is what these make it.
  if (events.id.from === 'body' && eventId !== undefined)
    write(event, { field: 'id', text: events.id.path, values: [eventId] });
  for (const writing of writings) {
    const { field, text } = writing;
    if (!write(event, writing))
      throw new RenderError(`the expression of "${field}" does not tell where to write it: ${text}`);
  }
  const bytes = bytesOf(webhook.bodyFormat, body);
  requireReadable(contract, kind, bytes, writings);
  return {
    body: bytes,
    contentType: webhook.bodyFormat === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
  };
}

/** The bytes of a sample's body, as the service would send it. */
export function encodeForm(body: unknown): Uint8Array {
  const pairs = isObject(body) ? Object.entries(body) : [];
  const form = new URLSearchParams();
  for (const [name, value] of pairs) for (const item of [value].flat()) form.append(name, String(item));
  return Buffer.from(form.toString());
}

type Format = Contract['webhook']['bodyFormat'];

const bytesOf = (format: Format, body: unknown): Uint8Array =>
  format === 'json' ? Buffer.from(JSON.stringify(body)) : encodeForm(body);

/** A value to be written, in any of several words, and the expression that has to find it. */
interface Writing {
  readonly field: string;
  readonly text: string;
  readonly values: readonly (string | number)[];
}

function writtenValues(contract: Contract, field: string, value: string): readonly (string | number)[] {
  if (field === 'occurredAt') return [renderTime(contract.events.timeFormat, value)];
  if (field !== 'status' || contract.statuses[value] === value) return [value];
  const words = Object.entries(contract.statuses).flatMap(([word, canonical]) =>
    canonical === value ? [word] : [],
  );
  return words.length === 0 ? [value] : words;
}

/** A sample's body with one event of the kind, and that event within it. */
function sampleFor(
  contract: Contract,
  kind: string,
  writings: readonly Writing[],
): { body: unknown; event: Record<string, unknown> } {
  const { list, kind: kindOf } = contract.events;
  const status = writings.find(({ field }) => field === 'status');
  // Those that become nothing show a signature alone.
  const shown = contract.samples.filter(({ becomes }) => becomes !== undefined);
  const candidates = shown.flatMap((sample) => {
    const events = find(list, bodyOf(contract, sample));
    return Array.isArray(events)
      ? events.map((event: unknown, position) => ({ sample, position, event }))
      : [];
  });
  const ofKind = candidates.filter(({ event }) => find(kindOf, event) === kind);
  const withStatus = ofKind.filter(({ event }) => status !== undefined && reads(event, status));
  for (const { sample, position } of [...withStatus, ...ofKind]) {
    const body = structuredClone(bodyOf(contract, sample));
    const events = find(list, body);
    const event: unknown = Array.isArray(events) ? events[position] : undefined;
    if (!Array.isArray(events) || !isObject(event)) continue;
    // Alone in its list; a list that the expression makes keeps the others, and such a sample is of no use.
    if (events.length > 1) events.splice(0, events.length, event);
    if ([find(list, body)].flat().length === 1) return { body, event };
  }
  throw new RenderError(`the contract's samples hold no body with one ${kind} event`);
}

function bodyOf({ webhook }: Contract, { body, bodyText }: Contract['samples'][number]): unknown {
  if (bodyText === undefined) return body;
  const parsed = parseBody(webhook.bodyFormat, Buffer.from(bodyText));
  return parsed.kind === 'parsed' ? parsed.value : undefined;
}

/** Puts one of the values where the expression finds it. @returns whether there is such a place */
function write(event: Record<string, unknown>, writing: Writing): boolean {
  if (reads(event, writing)) return true;
  for (const place of placesIn(writing.text)) {
    const before = valueAt(event, place);
    for (const value of writing.values) {
      putAt(event, place, value);
      if (reads(event, writing)) return true;
    }
    putAt(event, place, before);
  }
  return false;
}

/** Fields may share a place, and a place may decide on the kind. */
function requireReadable(
  { events, webhook }: Contract,
  kind: string,
  bytes: Uint8Array,
  writings: readonly Writing[],
): void {
  const parsed = parseBody(webhook.bodyFormat, bytes);
  const found = find(events.list, parsed.kind === 'parsed' ? parsed.value : undefined);
  const event: unknown = Array.isArray(found) && found.length === 1 ? found[0] : undefined;
  if (find(events.kind, event) !== kind)
    throw new RenderError(`what is written for these fields would not be read as ${kind}`);
  const wrong = writings.find((writing) => !reads(event, writing));
  if (wrong !== undefined)
    throw new RenderError(`"${wrong.field}" would not be read as it is given: ${wrong.text}`);
}

function reads(event: unknown, { text, values }: Writing): boolean {
  const found = find(text, event) ?? undefined;
  return values.some((value) => String(found ?? '') === String(value));
}

/** What an expression finds; one that refuses the value finds nothing. */
function find(expression: string, value: unknown): unknown {
  try {
    return compileExpression(expression)(value);
  } catch {
    return undefined;
  }
}
