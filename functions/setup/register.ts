import { isUsableSecret } from '../core/signature/signed-content.ts';
import { isSameUrl, needsRegistration, reportWebhook } from '../core/webhook/registration.ts';
import { type SecretDocument, withNewSecret } from '../core/webhook/secret-document.ts';
import type { SetupDependencies } from './dependencies.ts';
import { failed, type SetupOutcome, serviceFailed } from './outcome.ts';

const unusableSecret = failed(
  'unusable-secret',
  "The SMS service's signing secret is not written as the contract says (webhook.signature.secret): no event could be verified with it. Correct the contract and deploy again.",
);

/**
 * Makes the service send events to us and stores the secret it signs them with. Never rotates. Doing it again changes
 * nothing, so it is also the repair when the URL or the stored secret has drifted.
 */
export async function register(dependencies: SetupDependencies): Promise<SetupOutcome> {
  const { service, store, webhookUrl, clock, log } = dependencies;
  const stored = await store.read();
  const read = await service.readWebhook();
  if (!read.ok) return serviceFailed(read.error);
  if (!isUsableSecret(dependencies.signature, read.value.secret) && read.value.secret !== '')
    return unusableSecret;
  // Stored before the service is told our URL: the first event it sends can be verified.
  const known = await storeSecret(dependencies, stored, read.value.secret);
  if (!needsRegistration(read.value, webhookUrl)) {
    log('WEBHOOK_UNCHANGED');
    return { ok: true, report: reportWebhook(read.value, known, webhookUrl, clock()) };
  }
  const set = await service.setWebhook({ url: webhookUrl, rotate_secret: false });
  if (!set.ok) return serviceFailed(set.error);
  if (!isSameUrl(set.value.url, webhookUrl))
    return failed(
      'unexpected-answer',
      'set webhook: the SMS service answered with another URL than the one it was sent',
    );
  if (set.value.secret === '')
    return failed('unexpected-answer', 'set webhook: the SMS service answered without a signing secret');
  if (!isUsableSecret(dependencies.signature, set.value.secret)) return unusableSecret;
  const document = await storeSecret(dependencies, known, set.value.secret);
  if (read.value.url !== '' && !isSameUrl(read.value.url, webhookUrl)) log('WEBHOOK_REPLACED');
  log('WEBHOOK_REGISTERED');
  return { ok: true, report: reportWebhook(set.value, document, webhookUrl, clock()) };
}

async function storeSecret(
  { store, clock, overlapMs }: SetupDependencies,
  stored: SecretDocument | undefined,
  secret: string,
): Promise<SecretDocument | undefined> {
  if (secret === '') return stored;
  const document = withNewSecret(stored, secret, clock(), overlapMs);
  if (document !== stored) await store.write(document);
  return document;
}
