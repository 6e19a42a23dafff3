import type { EventPattern } from 'aws-cdk-lib/aws-events';
import { detailTypes } from '../../functions/publish/shapes.ts';
import type { PipelineOptions } from '../options/options.ts';

type Options = Pick<PipelineOptions, 'automations' | 'events' | 'staleAfter'>;

/** What is known of a subscription. */
interface KnownSubscription {
  readonly node: { readonly path: string };
  readonly _pattern: EventPattern;
}

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

/** Explains which subscriptions of a pipeline can never receive an event. @param sources the names of all sources */
export function silentSubscriptions(
  subscriptions: readonly KnownSubscription[],
  sources: readonly string[],
  options: Options,
): string[] {
  return subscriptions.flatMap(({ node: { path }, _pattern: { detailType = [], detail } }) => {
    const absent = detailType.flatMap((type) => {
      const needed = neededBy.get(type);
      return needed === undefined || needed.isSet(options) ? [] : [needed.prop];
    });
    const filtered: unknown[] = [detail?.source ?? []].flat();
    const unknown = filtered.filter((value) => typeof value === 'string' && !sources.includes(value));
    return [
      ...(absent.length > 0 && absent.length === detailType.length
        ? [`${path}: the pipeline publishes no such event without ${absent[0]}.`]
        : []),
      ...unknown.map(
        (name) =>
          `${path}: there is no source ${JSON.stringify(name)}. The pipeline has ${sources.join(', ')}.`,
      ),
    ];
  });
}
