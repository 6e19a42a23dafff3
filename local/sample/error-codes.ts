import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { CanonicalErrorReason } from '../../contract/schema/sms-event.ts';

/** Error codes for a contract that lists none. They are made up, like the service. */
export const sampleErrors: Contract['errors'] = {
  '30003': 'unreachable',
  '30004': 'blocked',
  '30005': 'invalid_number',
  '30006': 'landline',
  '30007': 'spam',
  '30022': 'throttled',
  '30036': 'expired',
  '30410': 'carrier_rejected',
  '21610': 'opted_out',
};

const texts: Readonly<Partial<Record<CanonicalErrorReason, string>>> = {
  unreachable: 'handset unreachable',
  blocked: 'blocked by the recipient',
  invalid_number: 'unknown destination',
  landline: 'landline or unreachable carrier',
  spam: 'filtered by the carrier',
  throttled: 'too many messages at once',
  expired: 'validity period expired',
  carrier_rejected: 'provider timeout',
  opted_out: 'number opted out',
};

/** Returns the fields of a failure, by the codes of a contract. */
export function failureFields(
  errors: Contract['errors'],
  reason: CanonicalErrorReason,
): Readonly<Record<string, string>> {
  const errorText = texts[reason] ?? reason.replaceAll('_', ' ');
  const [code] = Object.entries(errors).find(([, listed]) => listed === reason) ?? [];
  return code === undefined ? { errorText } : { errorCode: code, errorText };
}
