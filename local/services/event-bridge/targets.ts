import type { Envelope } from './events.ts';

/** Makes a target's payload of an event: the event, a part of it, or a constant. */
export type TargetPayload = (event: Envelope) => unknown;

/** An `Input` or `InputPath` that cannot be used here. */
export class TargetPayloadError extends Error {
  override readonly name = 'TargetPayloadError';
}

/**
 * @param input JSON that replaces every event
 * @param inputPath names with dots between, such as `$.detail.messageId`
 * @throws TargetPayloadError for an input that is not JSON, for another path, and for both parameters at once
 */
export function targetPayload(input: string | undefined, inputPath: string | undefined): TargetPayload {
  if (input !== undefined && inputPath !== undefined) {
    throw new TargetPayloadError('a target has an Input or an InputPath, not both');
  }
  if (input !== undefined) {
    const constant = parse(input);
    return () => constant;
  }
  if (inputPath === undefined || inputPath === '$') return (event) => event;
  if (!/^\$(\.[\w-]+)+$/.test(inputPath)) {
    throw new TargetPayloadError(`an InputPath other than names with dots is not supported: ${inputPath}`);
  }
  const names = inputPath.split('.').slice(1);
  return (event) => names.reduce(fieldOf, event) ?? null;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    throw new TargetPayloadError('the Input of a target is not JSON');
  }
}
