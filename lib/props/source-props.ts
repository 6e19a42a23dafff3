import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Contract } from './contract.ts';
import type { SourceWebhookProps, WorkerProps } from './props.ts';

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
   * @see docs/operate/lookups.md
   */
  readonly lookups?: boolean;
  /**
   * Stores the price, the segments and the network that only lookups know.
   *
   * @default false
   */
  readonly lookupPrices?: boolean;
  /** @default - the defaults of {@link WebhookProps} */
  readonly webhook?: SourceWebhookProps;
  /** @default - the defaults of {@link WorkerProps} */
  readonly worker?: WorkerProps;
}
