import type { SignatureCheck } from '../functions/core/contract/check-signature.ts';
import type { Contract } from '../functions/core/contract/contract.ts';

/** What a check of a signature says to people, in one line; never a secret, nor what would fit. */
export function describeSignature(check: SignatureCheck, { webhook }: Pick<Contract, 'webhook'>): string {
  const { signature } = webhook;
  switch (check.result) {
    case 'verified':
      return 'verified';
    case 'not-signed':
      return 'the contract asks for none: whoever posts is believed';
    case 'no-secret':
      return 'not verified: no secret was given (--secret-file, --secret-from-service)';
    case 'unusable-secret':
      return `the secret is not written as the contract says${keyForm(signature)}, so nothing can fit it`;
    case 'mismatch':
      return `does not fit the secret: another secret, a body that was changed on the way, or a mistake in webhook.signature${coversUrl(signature) ? '; it covers the URL too, which has to be the one the service posted to' : ''}`;
    case 'missing':
      return check.headers.length > 0
        ? `missing: ${check.headers.join(', ')}`
        : 'missing: a value of webhook.signature.signedContent is not in the headers where the contract says, or holds the text beside it';
    case 'timestamp-invalid':
      return 'its timestamp is missing or no number: see webhook.signature.timestamp';
    case 'outside-window':
      return `its timestamp${check.sentAt === undefined ? '' : ` (${check.sentAt})`} is outside the replay window of the time it was received`;
  }
}

/** Whether a check speaks against the request, or the contract. */
export function isRefused({ result }: SignatureCheck): boolean {
  return result !== 'verified' && result !== 'not-signed' && result !== 'no-secret';
}

/** How the contract says that a key is written. */
function keyForm(signature: Contract['webhook']['signature']): string {
  const isShared =
    signature.scheme === 'hmac' || (signature.scheme === 'jwt' && signature.algorithm.startsWith('HS'));
  return isShared ? ` (${signature.secret.encoding})` : ' (a public key of its algorithm)';
}

function coversUrl(signature: Contract['webhook']['signature']): boolean {
  if (signature.scheme === 'jwt') return signature.urlHash !== null;
  return 'signedContent' in signature && signature.signedContent.includes('{url}');
}
