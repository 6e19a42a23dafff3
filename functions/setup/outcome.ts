import { describeError, type SmsServiceError } from '../adapters/sms-service/errors.ts';
import type { WebhookReport } from '../core/webhook/registration.ts';

/** Why an action failed, for people; neither field holds a secret. */
export interface SetupFailure {
  /** A kind of the SMS service's errors, or one of ours: `api-key-missing`, `secret-store`, `out-of-time`... */
  readonly kind: string;
  readonly message: string;
}

/** What came of an action. */
export type SetupOutcome =
  | { readonly ok: true; readonly report: WebhookReport }
  | { readonly ok: false; readonly error: SetupFailure };

export function failed(kind: string, message: string): SetupOutcome {
  return { ok: false, error: { kind, message } };
}

/** The service's error as an outcome, its own words included. */
export function serviceFailed(error: SmsServiceError): SetupOutcome {
  return failed(error.kind, describeError(error));
}
