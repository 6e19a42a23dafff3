import type { EventPattern } from 'aws-cdk-lib/aws-events';
import { detailTypes } from '../../functions/publish/shapes.ts';
import type { PipelineOptions } from '../options/options.ts';
import { missingFor } from '../options/published-types.ts';
import { isAbsence } from './event-filter.ts';

type Options = Pick<PipelineOptions, 'automations' | 'events' | 'staleAfter'>;

type SourceOptions = Pick<PipelineOptions, 'source' | 'lookups' | 'registration' | 'functionSources'>;

/** What is known of a subscription. */
interface KnownSubscription {
  readonly node: { readonly path: string };
  readonly _pattern: EventPattern;
}

/**
 * Explains which subscriptions of a pipeline can never receive an event.
 *
 * @param everySource the options of each source, of which `main` is the first
 */
export function silentSubscriptions(
  subscriptions: readonly KnownSubscription[],
  everySource: readonly SourceOptions[],
  options: Options,
): string[] {
  const sources = everySource.map(({ source }) => source);
  return subscriptions.flatMap(({ node: { path }, _pattern: { detailType = [], detail } }) => {
    const absent = detailType.flatMap((type) => missingFor(type, options) ?? []);
    const filtered: unknown[] = [detail?.source ?? []].flat();
    const unknown = filtered.filter((value) => typeof value === 'string' && !sources.includes(value));
    const origins: unknown[] = [detail?.origin ?? []].flat();
    const isOfLookupsOnly = origins.length > 0 && origins.every((value) => value === 'lookup');
    const isOnly = (...types: readonly string[]) =>
      detailType.length > 0 && detailType.every((type) => types.includes(type));
    return [
      ...(isOnly(detailTypes.webhookDrifted) && !everySource.some(({ registration }) => registration)
        ? [`${path}: the pipeline publishes no such event without registration: true.`]
        : []),
      ...(isOnly(detailTypes.helpRequested) && !everySource.some(hasHelpWords)
        ? [`${path}: the pipeline publishes no such event without words of "help" among its keywords.`]
        : []),
      ...(isOfLookupsOnly && !everySource.some(({ lookups }) => lookups)
        ? [`${path}: no event has the origin "lookup" without lookups: true.`]
        : []),
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

function hasHelpWords({ functionSources: { keywords } }: SourceOptions): boolean {
  return [keywords.everywhere, ...Object.values(keywords.countries)].some(({ help }) => help.length > 0);
}

/** Finds the subscriptions to events about a provider, of a pipeline with one source. The delivery watch compares sources. */
export function comparisonsOfOneSource<Subscription extends KnownSubscription>(
  subscriptions: readonly Subscription[],
  everySource: readonly unknown[],
): readonly Subscription[] {
  const types: ReadonlySet<string> = new Set([detailTypes.providerDegraded, detailTypes.providerRecovered]);
  return subscriptions.filter(
    ({ _pattern: { detailType = [] } }) =>
      everySource.length === 1 && detailType.length > 0 && detailType.every((type) => types.has(type)),
  );
}

/** The fields of events about messages that a contract may leave out, with the field of the contract. */
const mappedFields = {
  sendId: 'sendId',
  phone: 'recipient',
  channel: 'channel',
  errorCode: 'errorCode',
  errorText: 'errorText',
  price: 'price',
  currency: 'currency',
  segments: 'segments',
  network: 'network',
  carrier: 'carrier',
  partId: 'parentMessageId',
} as const;

const typesOfMessages: ReadonlySet<string> = new Set([detailTypes.statusChanged, detailTypes.deliveryEvent]);

/** A subscription that needs fields which no contract of its pipeline reads. */
interface UnreadFields<Subscription> {
  readonly subscription: Subscription;
  readonly fields: readonly string[];
}

/**
 * Finds the subscriptions to fields of messages that no source reads. They receive at most what an import with a mapping of its own publishes, which is
 * not known at synth.
 */
export function unreadFields<Subscription extends KnownSubscription>(
  subscriptions: readonly Subscription[],
  everySource: readonly SourceOptions[],
): readonly UnreadFields<Subscription>[] {
  return subscriptions.flatMap((subscription) => {
    const { detailType = [], detail = {} } = subscription._pattern;
    if (!detailType.every((type) => typesOfMessages.has(type))) return [];
    const fields = Object.entries(mappedFields).flatMap(([name, field]) => {
      const values: unknown[] = [detail[name] ?? []].flat();
      const isNeeded = values.length > 0 && !values.some(isAbsence);
      return isNeeded && !everySource.some((source) => reads(source, field)) ? [name] : [];
    });
    return fields.length === 0 ? [] : [{ subscription, fields }];
  });
}

function reads(
  { lookups, functionSources: { contract } }: SourceOptions,
  field: (typeof mappedFields)[keyof typeof mappedFields],
): boolean {
  const fields = contract.events.status;
  if (fields[field] !== null) return true;
  if (!lookups || contract.lookups === null) return false;
  const { report, list } = contract.lookups;
  return report[field] !== null || (field === 'sendId' && list?.sendId != null);
}
