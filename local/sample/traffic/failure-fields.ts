import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { CanonicalErrorReason } from '../../../contract/schema/sms-event.ts';

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
