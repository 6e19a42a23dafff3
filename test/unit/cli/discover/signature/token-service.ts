import { maskCredential } from '../../../../../functions/core/signature/mask-credential.ts';
import { type Draw, word } from './draw.ts';
import type { SigningStyle } from './signing-style.ts';

/** A service that sends the secret itself, perhaps masked when it was captured. */
export function tokenService(draw: Draw): SigningStyle {
  const isBasic = draw([true, false]);
  const header = isBasic ? 'Authorization' : draw(['Authorization', 'X-Api-Key', 'x-webhook-token']);
  const prefix = isBasic ? 'Basic ' : draw(['', 'Bearer ', 'App ', 'Token ']);
  const masked = draw([true, false]);
  const secretOf = () => (isBasic ? `hooks:${word(draw, 16)}` : word(draw, 24));
  const secret = secretOf();
  const wrongSecret = secretOf();
  const write = (text: string) => prefix + (isBasic ? Buffer.from(text).toString('base64') : text);
  return {
    name: `token ${JSON.stringify(prefix)} in ${header}${masked ? ', masked' : ''}`,
    secret,
    wrongSecret,
    covers: ['token'],
    isForm: false,
    masked,
    sign: ({ id }, change) => {
      const value = write(change === 'token' ? wrongSecret : secret);
      return { [header]: masked ? maskCredential(value, id) : value };
    },
  };
}
