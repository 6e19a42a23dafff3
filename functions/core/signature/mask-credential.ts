import { createHmac } from 'node:crypto';
import { equal } from './equal.ts';

/** What a masked value begins with. */
export const maskedPrefix = 'masked:';

const masked = /^masked:([^:]+):[0-9a-f]{64}$/;

/**
 * A credential as it may be kept: nobody can send it again, and who knows the credential can still tell that it was this one.
 *
 * @param salt random, so that the same credential looks different each time; without a colon
 */
export function maskCredential(value: string, salt: string): string {
  return `${maskedPrefix}${salt}:${createHmac('sha256', salt).update(value).digest('hex')}`;
}

/** Whether what {@link maskCredential} gave was made of this value. */
export function fitsMasked(text: string, value: string): boolean {
  const salt = masked.exec(text)?.[1];
  return salt !== undefined && equal(text, maskCredential(value, salt));
}
