import type { Duration } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Contract } from './contract.ts';
import type { WorkerProps } from './props.ts';

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
export interface SourceWebhookProps {
  /**
   * Ranges of IP addresses (CIDR) that may call the webhook. Others are answered with 403. At most 50.
   *
   * @default - every address
   */
  readonly allowedSources?: string[];
  /**
   * Concurrent invocations reserved for the webhook's function, and its limit.
   *
   * @default - none are reserved
   */
  readonly reservedConcurrency?: number;
  /**
   * Requests with an unknown signature always wait for the service's secret, and not only while a rotation is under way.
   *
   * @default false
   */
  readonly alwaysParkUnverified?: boolean;
  /**
   * Requests that would be rejected are kept until this time in UTC: `2026-01-15T12:00:00Z`, at most 7 days ahead.
   *
   * @default - nothing is captured
   */
  readonly captureUntil?: string;
  /**
   * Repairs the webhook when another actor changed it. False only reports the change.
   *
   * @default true
   */
  readonly repairDrift?: boolean;
  /**
   * The previous secret is accepted for this long after a rotation, in whole hours.
   *
   * @default Duration.hours(24)
   */
  readonly secretOverlap?: Duration;
  /**
   * The secret is rotated at this age, in whole days.
   *
   * @default - never
   */
  readonly rotateAfter?: Duration;
}
