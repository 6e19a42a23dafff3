import { detailTypes } from '../../functions/publish/shapes.ts';
import type { PipelineOptions } from './options.ts';

type Options = Pick<PipelineOptions, 'automations' | 'events' | 'staleAfter'>;

/** A prop without which nothing publishes a type of event. */
interface Needed {
  readonly prop: string;
  isSet(options: Options): boolean;
}

const automation = (name: 'deliveryWatch' | 'billingWatch'): Needed => ({
  prop: `Automation.${name}() among the automations`,
  isSet: ({ automations }) => automations[name] !== undefined,
});

const neededBy = new Map<string, Needed>([
  [detailTypes.deliveryDegraded, automation('deliveryWatch')],
  [detailTypes.deliveryRecovered, automation('deliveryWatch')],
  [detailTypes.providerDegraded, automation('deliveryWatch')],
  [detailTypes.providerRecovered, automation('deliveryWatch')],
  [detailTypes.cardExpiring, automation('billingWatch')],
  [
    detailTypes.deliveryEvent,
    { prop: 'events: { everyEvent: true }', isSet: ({ events }) => events.everyEvent },
  ],
  [
    detailTypes.stale,
    { prop: 'staleAfter above zero', isSet: ({ staleAfter }) => staleAfter.toHours() !== 0 },
  ],
]);

/** Returns the prop without which a pipeline publishes no event of a type; undefined if it publishes them. */
export function missingFor(type: string, options: Options): string | undefined {
  const needed = neededBy.get(type);
  return needed === undefined || needed.isSet(options) ? undefined : needed.prop;
}
