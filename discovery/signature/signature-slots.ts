import { createHash } from 'node:crypto';
import { encodeBytes } from '../../contract/signature/signed-content.ts';
import { nameOfPlace, type ReadableCapture, type ValuePlace } from './readable-capture.ts';

/** Lists the texts that may separate the entries of a header, the likeliest first. A blank after a comma or semicolon belongs to it. */
export function separatorsIn(value: string): readonly string[] {
  const spaced = [', ', '; '].filter((separator) => value.includes(separator));
  return spaced.length > 0 ? spaced : [',', ';', ' '].filter((separator) => value.includes(separator));
}

export type Encoding = 'hex' | 'hex-upper' | 'base64' | 'base64url';

/** A place that may hold signatures, and the signatures there. */
export interface SignatureSlot {
  readonly place: ValuePlace;
  /** The name of the place for people: of a header in lower case. */
  readonly header: string;
  readonly prefix: string;
  readonly separator: string | null;
  /** The possible encodings of its signatures. The one that fits most of them comes first. */
  readonly encodings: readonly Encoding[];
  /** Whether the captures do not decide between the encodings. */
  readonly isAmbiguous: boolean;
  /** The bytes of each signature, one character a byte, by the capture's place in the list. */
  readonly signatures: ReadonlyMap<number, readonly string[]>;
}

/** One signature in one capture. */
interface Entry {
  readonly index: number;
  readonly place: ValuePlace;
  readonly prefix: string;
  readonly separator: string | null;
  readonly encodings: readonly Encoding[];
  readonly bytes: string;
}

/** A digest after up to two words, as in "sha256=", "v1," or "HMAC id:". An id may be a UUID. */
const signatureShape = /^((?:\w[\w.-]{0,63}[=,: ] ?){0,2})([A-Za-z0-9+/_-]{22,1100}={0,2})$/;
/** A time or a number in a prefix, which differs between requests. */
const longNumber = /(?:^|[^\w-])\d{8,}(?:[^\w-]|$)/;
const digestLengths = new Set([20, 32, 48, 64]);
const rsaLengths = new Set([128, 256, 384, 512]);

/**
 * Finds all places in the headers that hold as many bytes as a digest or a signature.
 *
 * @returns places with a prefix and without a separator first, because they identify a signature most clearly
 */
export function findSlots(captures: readonly ReadableCapture[]): readonly SignatureSlot[] {
  const signatures: Entry[] = [];
  for (const [index, { headers, fields, capture }] of captures.entries()) {
    const read = (place: ValuePlace, value: string, separators: readonly (string | null)[]) => {
      for (const separator of separators)
        for (const entry of separator === null ? [value] : value.split(separator)) {
          const signature = readSignature(entry, isSignatureField(place));
          if (signature !== undefined) signatures.push({ index, place, separator, ...signature });
        }
    };
    for (const [header, value] of headers) read({ header }, value, [null, ...separatorsIn(value)]);
    for (const [place, value] of fields)
      if (isSignatureField(place) && bodyHashIn(value, capture.body) === undefined)
        read(place, value, [null]);
  }
  const places = Map.groupBy(signatures, ({ place, separator, prefix, encodings }) =>
    JSON.stringify([place, separator, prefix, encodings.some((encoding) => encoding.startsWith('hex'))]),
  );
  return [...places.values()]
    .flatMap((entries) => slotOf(entries) ?? [])
    .sort((a, b) => clarity(b) - clarity(a));
}

const hashes = ['sha256', 'md5', 'sha1', 'sha512', 'sha384'] as const;
const spellings = ['hex', 'base64', 'hex-upper', 'base64url'] as const;

/** Recognises a hash of the body, after an optional prefix such as "SHA-256=". */
export function bodyHashIn(value: string, body: Uint8Array) {
  for (const algorithm of hashes) {
    const digest = createHash(algorithm).update(body).digest();
    for (const encoding of spellings) {
      const text = encodeBytes(digest, encoding);
      if (value.endsWith(text) && value.length - text.length <= 16)
        return { algorithm, encoding, prefix: value.slice(0, -text.length) };
    }
  }
  return undefined;
}

function slotOf(entries: readonly Entry[]): SignatureSlot | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const { place, prefix, separator } = first;
  const count = (encoding: Encoding) =>
    entries.filter(({ encodings }) => encodings.includes(encoding)).length;
  const encodings = (['hex', 'hex-upper', 'base64', 'base64url'] as const)
    .filter((encoding) => count(encoding) > 0)
    .sort((a, b) => count(b) - count(a));
  const [likeliest, next] = encodings;
  const byCapture = Map.groupBy(entries, ({ index }) => index);
  const signatures = new Map([...byCapture].map(([index, same]) => [index, same.map(({ bytes }) => bytes)]));
  return {
    place,
    header: nameOfPlace(place),
    prefix,
    separator,
    encodings,
    isAmbiguous: likeliest !== undefined && next !== undefined && count(likeliest) === count(next),
    signatures,
  };
}

/** Reports whether a header has a name that suggests a signature. */
export function isSignatureName(header: string): boolean {
  return /sig|hmac|auth/.test(header);
}

/** Reports whether a parameter or a field has a name that suggests a signature. */
function isSignatureField(place: ValuePlace): boolean {
  return /sig|hmac|auth|hash|digest|check|md5|mac$|sha\d*$|verif|token/i.test(nameOfPlace(place));
}

/** Reads an entry of a header as a signature. @returns undefined if it cannot be one */
function readSignature(
  entry: string,
  isNamedSo: boolean,
): Pick<Entry, 'prefix' | 'encodings' | 'bytes'> | undefined {
  const [, prefix = '', text] = signatureShape.exec(entry) ?? [];
  if (text === undefined || longNumber.test(prefix)) return undefined;
  const possible: readonly Encoding[] = /^(?:[0-9a-f]{2})+$/i.test(text)
    ? ['hex', 'hex-upper']
    : ['base64', 'base64url'];
  const bytes = Buffer.from(text, possible.includes('hex') ? 'hex' : 'base64');
  const exact = possible.filter((encoding) => encodeBytes(bytes, encoding) === text);
  // Other ids have 16 bytes as well.
  return looksLikeSignature(bytes) || (isNamedSo && bytes.length === 16)
    ? { prefix, encodings: exact.length > 0 ? exact : possible, bytes: bytes.toString('latin1') }
    : undefined;
}

function looksLikeSignature(bytes: Buffer): boolean {
  return digestLengths.has(bytes.length) || rsaLengths.has(bytes.length) || isDerSignature(bytes);
}

/** Recognises an ECDSA signature in DER: a sequence of two numbers, with its length in the second byte (RFC 3279, section 2.2.3). */
function isDerSignature(bytes: Uint8Array): boolean {
  return bytes[0] === 0x30 && bytes[1] === bytes.length - 2 && bytes[2] === 0x02;
}

function clarity({ prefix, separator }: SignatureSlot): number {
  return (prefix === '' ? 0 : 2) + (separator === null ? 1 : 0);
}
