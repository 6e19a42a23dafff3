import type { CostAndRoute } from '../../contract/schema/sms-event.ts';
import { compareEntries, type Message, type StatusEntry } from './message.ts';

/**
 * Returns the cost and the route of a message. Each value is that of the report with the highest precedence among those that have it,
 * because services add the price or the network to one report only. The currency is that of the price.
 */
export function costAndRouteOf({ events }: Message): CostAndRoute {
  const ordered = [...events.values()].sort((a, b) => compareEntries(b, a));
  const first = (name: keyof CostAndRoute) => ordered.find((entry) => entry[name] !== undefined);
  return {
    ...pick(first('price'), ['price', 'currency']),
    ...pick(first('segments'), ['segments']),
    ...pick(first('network'), ['network']),
    ...pick(first('carrier'), ['carrier']),
  };
}

/** The names of the values, which are attributes of the item of a message. */
export const costAndRouteNames = ['price', 'currency', 'segments', 'network', 'carrier'] as const;

function pick(entry: StatusEntry | undefined, names: readonly (keyof CostAndRoute)[]): CostAndRoute {
  return Object.fromEntries(
    names.flatMap((name) => (entry?.[name] === undefined ? [] : [[name, entry[name]]])),
  );
}
