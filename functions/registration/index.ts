export { createConfirmedByHand } from './confirmed-by-hand.ts';
export { isMask, isTooPlain } from './masked-secret.ts';
export { registrationBaseUrl } from './registration-of-contract.ts';
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
  withoutPrevious,
} from './secret/secret-document.ts';
export type { SecretCache, StoredSecret, WebhookSecretStore } from './secret/webhook-secret-store.ts';
export { encodeSignal, type MismatchSignal } from './setup/mismatch-signal.ts';
export { isServicePath } from './setup/request.ts';
export type { Drift } from './webhook-drift.ts';
export type { RegistrationState, WebhookReport } from './webhook-report.ts';
export type { Confirmed, WebhookState, WebhookStateTable } from './webhook-state-store.ts';
