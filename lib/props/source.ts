import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Contract } from './contract.ts';
import type { SmsPipelineProps, WebhookProps, WorkerProps } from './props.ts';

/**
 * A further source of delivery reports: an account at an SMS service, with an address, a secret, a queue and a worker of its own. What is not
 * set here has its default, and not the value of the pipeline.
 */
export interface SourceProps {
  /**
   * How the service signs its requests and writes its events.
   *
   * @see docs/reference/contract.md
   */
  readonly contract: Contract;
  /**
   * The secret with the API key of the service.
   *
   * @default - none, which needs `registration: false` and no `lookups`
   */
  readonly apiKey?: ISecret;
  /**
   * The base URL of the service.
   *
   * @default - `service.baseUrl` of the contract
   */
  readonly serviceBaseUrl?: string;
  /**
   * Registers the webhook at the service, watches it and rotates its secret.
   *
   * @default - true if the contract says how the service registers webhooks
   */
  readonly registration?: boolean;
  /**
   * Asks the service for the messages that no webhook reported.
   *
   * @default false
   * @see docs/operate/look-ups.md
   */
  readonly lookups?: boolean;
  /**
   * Stores the price, the segments and the network that only look-ups know.
   *
   * @default false
   */
  readonly lookupPrices?: boolean;
  /** @default - the defaults of {@link WebhookProps} */
  readonly webhook?: SourceWebhookProps;
  /** @default - the defaults of {@link WorkerProps} */
  readonly worker?: WorkerProps;
}

/** The webhook of a further source. The domain and the rate are those of the pipeline, because the sources share its API. */
export type SourceWebhookProps = Omit<WebhookProps, 'domain' | 'ratePerSecond' | 'burst'>;

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

/** Returns a line for each prop that a source does not have. The compiler reports them too, except in an app of JavaScript. */
export function sharedPropsIn(source: SourceProps): readonly string[] {
  const own = new Set<string>(ownProps);
  const names = [
    ...Object.keys(source).filter((name) => !own.has(name)),
    ...sharedWebhookProps.filter((name) => name in (source.webhook ?? {})).map((name) => `webhook.${name}`),
  ];
  return names.map((name) => `${name}: not a prop of a source; all sources share that of the pipeline`);
}
