import type { Result } from '../base/sms-service/request.ts';
import type { ServiceWebhook } from './webhook-drift.ts';

/**
 * Registers the webhook at an SMS service. Each service has an adapter in services/, the only place that knows its paths and shapes.
 * Rotation, drift, reports and alarms are above this interface, and the same for all services.
 *
 * No call throws. The error of a call has the name of the call's operation, see {@link operations}. An error with another operation,
 * such as a token exchange, means that the call was not made.
 */
export interface Registration {
  /**
   * Whether the service makes the signing secret, shows it, and replaces it on request. If not, the answers have no secret, an operator
   * stores it by `sms webhook store-secret`, and `rotate` always fails and says what to do instead.
   */
  readonly rotates: boolean;
  /** Reads where the service sends its events. */
  read(): Promise<Result<ServiceWebhook>>;
  /** Makes the service send its events to this URL. It keeps the secret, and doing it twice equals doing it once. */
  set(url: string): Promise<Result<ServiceWebhook>>;
  /** Does the same as `set`, and makes the service create a new secret. It is retried only if the service has surely not acted. */
  rotate(url: string): Promise<Result<ServiceWebhook>>;
  /** Makes the service send no events. */
  deactivate(): Promise<Result<ServiceWebhook>>;
}

/** The operations that errors name. `set` is also the one of `rotate` and `deactivate`. */
export const operations = { read: 'read webhook', set: 'set webhook' } as const;
