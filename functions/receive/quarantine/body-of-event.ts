import { isDeepStrictEqual } from 'node:util';
import { encodeForm, parseBody } from '../../../contract/events/body.ts';
import type { EventMapper } from '../../../contract/events/mapping.ts';
import type { RequestValues } from '../../../contract/events/request-values.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { requestForm } from '../../../contract/schema/request-form.ts';

/** The receipt time does not matter here. */
const anyTime = new Date(0).toISOString();

/** Matches names separated by dots, each optionally a list: `payload.batches[].items[]`. */
const simplePath = /^[A-Za-z_]\w*(?:\[[*]?\])?(?:\.[A-Za-z_]\w*(?:\[[*]?\])?)*$/;

/**
 * Builds the body that holds only one event, by the contract.
 *
 * @param raw the event as JSON
 * @param map of the same contract
 * @param request the parts of its request that decide how the body is read
 * @returns undefined if the contract reads no candidate as exactly this event
 */
export function bodyOfEvent(
  raw: Uint8Array,
  contract: Contract,
  map: EventMapper,
  request: RequestValues = {},
): Uint8Array | undefined {
  const { bodyFormat, charset } = requestForm(contract.webhook, request.method);
  const parsed = parseBody({ bodyFormat: 'json' }, raw);
  if (parsed.kind === 'unreadable') return undefined;
  const event = parsed.value;
  const candidates =
    bodyFormat === 'form'
      ? [encodeForm(event, charset)]
      : [event, wrapped(event, contract.events.list)].map((body) => Buffer.from(JSON.stringify(body)));
  return candidates.find((body) => {
    const [only, ...others] = map(body, undefined, anyTime, request);
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
