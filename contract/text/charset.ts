import { percentEncode } from './percent-encode.ts';

/**
 * Text in a character set. Charsets go by the labels of the WHATWG Encoding Standard, in which `iso-8859-1` is another name of
 * `windows-1252`, as in browsers: services that name the former write the latter.
 */

/** Returns the name of a charset in one spelling; undefined for a text that names none. */
export function charsetOf(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** Thrown if bytes or a text do not have the encoding that the contract names. The message never holds a value. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

const decoders = new Map<string, { decode(bytes: Uint8Array): string }>();

/** Decodes bytes exactly. @throws EncodingError if they are no text in the charset, or the charset is unknown */
export function decodeText(bytes: Uint8Array, charset: string): string {
  try {
    const decoder =
      decoders.get(charset) ?? new TextDecoder(charset.trim(), { fatal: true, ignoreBOM: true });
    decoders.set(charset, decoder);
    return decoder.decode(bytes);
  } catch {
    throw new EncodingError(`not text in ${charsetOf(charset) ?? 'a known charset'}`);
  }
}

/**
 * Decodes percent escapes. A "%" without two hexadecimal digits stays as it is, as in URLSearchParams.
 *
 * @param text each character is one byte, or ASCII
 * @throws EncodingError as {@link decodeText}, and for a text with other characters
 */
export function decodePercent(text: string, charset: string): string {
  if (/[^\0-\xff]/.test(text)) throw new EncodingError('not percent-encoded text');
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return decodeText(Buffer.from(bytes, 'latin1'), charset);
}

/** The charsets in which every text of bytes is text, so that a wrong charset gives wrong letters and no error. */
const singleByte = /^(?:windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;

/**
 * Returns whether bytes are UTF-8 with letters beyond ASCII, although they should be in a charset of single bytes. Texts of such a charset are
 * hardly ever valid UTF-8.
 *
 * @param isForm whether letters may be percent escapes
 */
export function isUtf8Instead(bytes: Uint8Array, charset: string, isForm: boolean): boolean {
  if (!singleByte.test(charsetOf(charset) ?? '')) return false;
  const text = Buffer.from(bytes).toString('latin1');
  if (!(isForm ? /[\x80-\xff]|%[89a-f]/i : /[\x80-\xff]/).test(text)) return false;
  try {
    if (isForm) decodePercent(text, 'utf-8');
    else decodeText(bytes, 'utf-8');
    return true;
  } catch {
    return false;
  }
}

/** Decodes hexadecimal digits, without or with a prefix 0x. @throws EncodingError as {@link decodeText}, and for a text with other characters */
export function decodeHex(text: string, charset: string): string {
  const digits = text.replace(/^0x/i, '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) throw new EncodingError('not hexadecimal');
  return decodeText(Buffer.from(digits, 'hex'), charset);
}

/** Decodes base64, also in the alphabet of URLs. @throws EncodingError for any other text */
export function decodeBase64(text: string): Buffer {
  const digits = text.replace(/\s/g, '');
  if (!/^[\w+/-]*={0,2}$/.test(digits) || digits.replace(/=/g, '').length % 4 === 1)
    throw new EncodingError('not base64');
  return Buffer.from(digits, 'base64');
}

/** Encodes a text with percent escapes, as forms have it. A character that the charset lacks is written in UTF-8. */
export function encodePercent(text: string, charset: string): string {
  const inUtf8 = percentEncode(text).replaceAll('%20', '+');
  if (charsetOf(charset) === 'utf-8') return inUtf8;
  const bytes = encodeText(text, charset);
  return bytes === undefined ? inUtf8 : escapesOf(bytes);
}

const escapesOf = (bytes: Iterable<number>) =>
  [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Node.js encodes UTF-8 alone. A charset of single bytes is known by what it decodes. @returns undefined for a text or a charset that cannot be encoded */
function encodeText(text: string, charset: string): Uint8Array | undefined {
  const name = charsetOf(charset);
  if (name === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (name === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const byCharacter = new Map<string, number>();
  const decoder = new TextDecoder(charset);
  for (let byte = 0; byte < 256; byte++) byCharacter.set(decoder.decode(Uint8Array.of(byte)), byte);
  const bytes = [...text].map((character) => byCharacter.get(character));
  return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : undefined;
}
