import { detailTypes } from '../../functions/publish/shapes.ts';
import type { PipelineOptions } from '../props/options.ts';
import type { Subscription } from '../public/subscription.ts';

/** Detail types that only an automation publishes. */
const publishers = new Map<string, 'deliveryWatch' | 'billingWatch'>([
  [detailTypes.deliveryDegraded, 'deliveryWatch'],
  [detailTypes.deliveryRecovered, 'deliveryWatch'],
  [detailTypes.providerDegraded, 'deliveryWatch'],
  [detailTypes.providerRecovered, 'deliveryWatch'],
  [detailTypes.cardExpiring, 'billingWatch'],
]);

/** Explains which subscriptions of a pipeline can never receive an event. @param sources the names of all sources */
export function silentSubscriptions(
  subscriptions: readonly Subscription[],
  sources: readonly string[],
  automations: PipelineOptions['automations'],
): string[] {
  return subscriptions.flatMap(({ node: { path }, _pattern: { detailType = [], detail } }) => {
    const absent = detailType.flatMap((type) => {
      const automation = publishers.get(type);
      return automation !== undefined && automations[automation] === undefined ? [automation] : [];
    });
    const filtered: unknown[] = [detail?.source ?? []].flat();
    const unknown = filtered.filter((value) => typeof value === 'string' && !sources.includes(value));
    return [
      ...(absent.length > 0 && absent.length === detailType.length
        ? [
            `${path}: only Automation.${absent[0]}() publishes such events, and it is not among the automations.`,
          ]
        : []),
      ...unknown.map(
        (name) =>
          `${path}: there is no source ${JSON.stringify(name)}. The pipeline has ${sources.join(', ')}.`,
      ),
    ];
  });
}
