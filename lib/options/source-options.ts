import type { SmsPipelineProps } from '../props/props.ts';
import type { SourceProps } from '../props/source-props.ts';
import { rowsOf } from './option-table.ts';
import { isPlain, shown } from './shown.ts';

/** The props of a pipeline that a source does not share. */
const ownProps = [
  'contract',
  'apiKey',
  'serviceBaseUrl',
  'registration',
  'lookups',
  'lookupPrices',
  'webhook',
  'worker',
] as const satisfies readonly (keyof SourceProps)[];

/** The props of the webhook that all sources share. */
const sharedWebhookProps = ['domain', 'ratePerSecond', 'burst'] as const;

/** Returns whether a source has a prop for itself, which is otherwise a prop of a pipeline. @param group `pipeline`, or the group of the prop */
export function isPropOfSource(group: 'pipeline' | 'webhook' | 'worker', name: string): boolean {
  if (group === 'pipeline') return ownProps.some((own) => own === name);
  return group === 'worker' || !sharedWebhookProps.some((shared) => shared === name);
}

/** Returns the props of a pipeline that has this source as its only one. */
export function propsOfSource(pipeline: SmsPipelineProps, source: SourceProps): SmsPipelineProps {
  const own = new Set<string>(ownProps);
  const shared = Object.fromEntries(Object.entries(pipeline).filter(([name]) => !own.has(name)));
  const webhook = Object.fromEntries(
    sharedWebhookProps.flatMap((name) => {
      const value = pipeline.webhook?.[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  // Automations call the service of `main`.
  return { ...shared, automations: [], ...source, webhook: { ...webhook, ...source.webhook } };
}

/** Returns a line for each prop that the pipeline has and a source does not. The compiler reports them too, except in an app of JavaScript. */
export function sharedPropsIn(source: unknown): readonly string[] {
  if (!isPlain(source))
    return [`props: found ${shown(source)}, expected an object with the props of the source`];
  const own = new Set<string>(ownProps);
  const shared = new Set(rowsOf('pipeline').flatMap(([name]) => (own.has(name) ? [] : [name])));
  const { webhook = {} } = Object.fromEntries<unknown>(Object.entries(source));
  if (!isPlain(webhook))
    return [`webhook: found ${shown(webhook)}, expected an object with props, for example {}`];
  const names = [
    ...Object.keys(source).filter((name) => shared.has(name)),
    ...sharedWebhookProps.filter((name) => name in webhook).map((name) => `webhook.${name}`),
  ];
  return names.map((name) => `${name}: not a prop of a source; all sources share that of the pipeline`);
}
