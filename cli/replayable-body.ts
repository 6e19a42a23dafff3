import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../functions/core/contract/contract.ts';
import { parseBody } from '../functions/core/events/body.ts';
import type { EventMapper } from '../functions/core/events/mapping.ts';

/** What an event tells of its time does not matter here. */
const anyTime = new Date(0).toISOString();

/** Names with dots between them, each of a list or not: `payload.batches[].items[]`. */
const simplePath = /^[A-Za-z_]\w*(?:\[[*]?\])?(?:\.[A-Za-z_]\w*(?:\[[*]?\])?)*$/;

/**
 * The body that holds one event and nothing else, by the contract.
 *
 * @param raw the event as JSON
 * @param map of the same contract
 * @returns undefined where no body is found that the contract reads as just this event
 */
export function bodyOfEvent(raw: Uint8Array, contract: Contract, map: EventMapper): Uint8Array | undefined {
  const { bodyFormat } = contract.webhook;
  const parsed = parseBody('json', raw);
  if (!parsed.readable) return undefined;
  const event = parsed.value;
  const candidates =
    bodyFormat === 'form' ? [formOf(event)] : [event, wrapped(event, contract.events.list)].map(jsonOf);
  return candidates
    .map((text) => Buffer.from(text))
    .find((body) => {
      const [only, ...others] = map(body, undefined, anyTime);
      return others.length === 0 && isDeepStrictEqual(only?.content, event);
    });
}

function wrapped(event: unknown, list: string): unknown {
  if (!simplePath.test(list)) return [event];
  const [last = '', ...before] = list.split('.').reverse();
  return before.reduce<unknown>(
    (inner, step) => (step.endsWith(']') ? { [nameOf(step)]: [inner] } : { [nameOf(step)]: inner }),
    { [nameOf(last)]: [event] },
  );
}

function nameOf(step: string): string {
  return step.replace(/\[.*$/, '');
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value);
}

function formOf(event: unknown): string {
  const fields = typeof event === 'object' && event !== null ? Object.entries(event) : [];
  const pairs = fields.flatMap(([name, value]): [string, string][] =>
    [value].flat().map((one) => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}
