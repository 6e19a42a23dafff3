import type { SignedTextContract } from '../contract/contract.ts';
import { headerReader, readPart } from './header-value.ts';
import { compileSignedContent, headersInTemplate } from './signed-content.ts';
import { rejected, type Verifier } from './webhook-request.ts';

/**
 * How many signatures of a request are verified. A rotation needs 2 or 3. The sender of a forged request chooses how many it
 * holds, and each costs a verification.
 */
const maxSignatures = 8;

/** Whether one of the signatures, each without its prefix, fits the content by a secret; undefined where the secret is none. */
type Fits = (content: Uint8Array, secret: string, signatures: readonly string[]) => boolean | undefined;

/** The verifier of a scheme that signs a text made of the request. */
export function createSignedTextVerifier(scheme: SignedTextContract, fits: Fits): Verifier {
  const signedContent = compileSignedContent(scheme.signedContent);
  return ({ headers, body, url }, secrets, now) => {
    const header = headerReader(headers);
    const value = header(scheme.header);
    if (value === undefined) return rejected('signature-missing');

    const timestamp = readPart(scheme.timestamp, header);
    if (scheme.timestamp !== null) {
      if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) return rejected('timestamp-invalid');
      const sentAt = Number(timestamp) * (scheme.timestamp.unit === 'seconds' ? 1000 : 1);
      if (Math.abs(now - sentAt) > scheme.timestamp.toleranceSeconds * 1000)
        return rejected('timestamp-outside-window');
    }

    const id = readPart(scheme.id, header);
    const content = signedContent(body, { id, timestamp, url, header });
    if (content === undefined) return rejected('signature-missing');

    const entries = scheme.separator === null ? [value] : value.split(scheme.separator);
    const signatures = entries
      .filter((entry) => entry.length > scheme.prefix.length && entry.startsWith(scheme.prefix))
      .slice(0, maxSignatures)
      .map((entry) => entry.slice(scheme.prefix.length));
    return secrets.some((secret) => fits(content, secret, signatures))
      ? { verified: true, signedId: id }
      : rejected('signature-mismatch');
  };
}

/** The names of the headers that such a scheme reads, in lower case: all that a later verification needs of them. */
export function headersRead({ header, id, timestamp, signedContent }: SignedTextContract): string[] {
  const named = [header, id?.header, timestamp?.header].flatMap((name) => name?.toLowerCase() ?? []);
  return [...new Set([...named, ...headersInTemplate(signedContent)])];
}
