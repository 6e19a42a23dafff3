import type { Contract } from '../contract/contract.ts';
import { compileExpression } from './expression.ts';
import { renderTime } from './time.ts';

/** An event to be written the way the service would write it. */
export interface EventToRender {
  readonly kind: 'sms.status' | 'sms.reply';
  /** By the contract's names (`messageId`, `status`, ...); times in ISO 8601; statuses canonical or any word. */
  readonly fields: Readonly<Record<string, string>>;
  /** The event's id, written where the contract finds it in the body; contracts that find it elsewhere ignore it. */
  readonly eventId?: string;
}

/** Thrown where a contract does not tell how an event is written, or an event has a field it does not know. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
}

/**
 * Writes the body of one event, the mapping in reverse: the contract's sample of that kind with the given fields in place.
 * A field that is not given is left out.
 *
 * @throws RenderError where the contract has no sample with one event of the kind, or a field's expression is no plain path
 */
export function renderEvent(
  contract: Contract,
  { kind, fields, eventId }: EventToRender,
): { body: Uint8Array; contentType: string } {
  const { body, event } = sampleOf(contract, kind);
  const expressions = kind === 'sms.status' ? contract.events.status : contract.events.reply;
  const paths = new Map(Object.entries<string | null>(expressions));
  const unknown = Object.keys(fields).find((field) => !paths.has(field));
  if (unknown !== undefined)
    throw new RenderError(`${kind} has no field "${unknown}"; it has ${[...paths.keys()].join(', ')}`);
  for (const [field, path] of paths) {
    if (path !== null) assign(event, pathOf(field, path), writtenValue(contract, field, fields[field]));
  }
  const { id } = contract.events;
  if (id.from === 'body') assign(event, pathOf('id', id.path), eventId);
  return contract.webhook.bodyFormat === 'json'
    ? { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }
    : { body: encodeForm(body), contentType: 'application/x-www-form-urlencoded' };
}

/** The bytes of a sample's body, as the service would send it. */
export function encodeForm(body: unknown): Uint8Array {
  const pairs = isObject(body) ? Object.entries(body) : [];
  const form = new URLSearchParams();
  for (const [name, value] of pairs) for (const item of [value].flat()) form.append(name, String(item));
  return Buffer.from(form.toString());
}

function sampleOf(contract: Contract, kind: string): { body: unknown; event: Record<string, unknown> } {
  const list = compileExpression(contract.events.list);
  const kindOf = compileExpression(contract.events.kind);
  for (const sample of contract.samples) {
    const body: unknown = structuredClone(sample.body);
    const found = list(body);
    const event: unknown = Array.isArray(found) && found.length === 1 ? found[0] : undefined;
    if (isObject(event) && kindOf(event) === kind) return { body, event };
  }
  throw new RenderError(`the contract's samples hold no body with one ${kind} event`);
}

function writtenValue(
  contract: Contract,
  field: string,
  value: string | undefined,
): string | number | undefined {
  if (value === undefined) return undefined;
  if (field === 'occurredAt') return renderTime(contract.events.timeFormat, value);
  if (field !== 'status' || contract.statuses[value] === value) return value;
  return Object.entries(contract.statuses).find(([, canonical]) => canonical === value)?.[0] ?? value;
}

function pathOf(field: string, expression: string): readonly string[] {
  const steps = expression.split('.').map((step) => /^(?:([A-Za-z_]\w*)|"([^"\\]+)")$/.exec(step));
  return steps.map((step) => {
    const name = step?.[1] ?? step?.[2];
    if (name === undefined)
      throw new RenderError(
        `the expression of "${field}" is no plain path, so it cannot be written: ${expression}`,
      );
    return name;
  });
}

function assign(
  target: Record<string, unknown>,
  path: readonly string[],
  value: string | number | undefined,
): void {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = target[name];
    const next = isObject(inner) ? inner : {};
    target[name] = next;
    assign(next, rest, value);
  } else if (value === undefined) delete target[name];
  else target[name] = value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
