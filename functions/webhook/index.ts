export { createConfirmedByHand } from './registration/confirmed-by-hand.ts';
export { registrationBaseUrl } from './registration/registration-of-contract.ts';
export type { Drift } from './registration/webhook-drift.ts';
export type { RegistrationState, WebhookReport } from './registration/webhook-report.ts';
export type { Confirmed, WebhookState, WebhookStateTable } from './registration/webhook-state-store.ts';
export {
  acceptedSecrets,
  confirmationMarginMs,
  markLeadMs,
  parseSecretDocument,
  rereadIntervalMs,
  rotationLimitMs,
  type SecretDocument,
  secretsAcceptedAt,
  withNewSecret,
  withoutMark,
} from './secret/secret-document.ts';
export type { SecretCache, StoredSecret, WebhookSecretStore } from './secret/webhook-secret-store.ts';
export { encodeSignal, type MismatchSignal } from './setup/mismatch-signal.ts';
export { isServicePath } from './setup/request.ts';
