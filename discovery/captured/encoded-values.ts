import { decodeBase64, decodeHex, decodePercent, decodeText } from '../../contract/text/charset.ts';
import { parseExactly } from '../../contract/text/json.ts';

/** How the values of a field are encoded once more, and the expression that decodes them. */
export interface Encoding {
  /** In words, for people. */
  readonly name: 'percent-encoded' | 'hexadecimal' | 'base64' | 'JSON in a text' | 'JSON in base64';
  readonly decode: (text: string) => unknown;
  /** Writes JMESPath to the decoded value. @param path JMESPath to the encoded value */
  readonly expression: (path: string) => string;
}

/** Reports whether a person can read a text: it has a letter, and no control characters. */
const isReadable = (text: string) => /\p{L}/u.test(text) && /^[\P{C}\t\r\n]+$/u.test(text);

/** Returns undefined if decoding fails or gives no text that a person can read. */
function readableText(decode: () => string): string | undefined {
  try {
    const text = decode();
    return isReadable(text) && !text.includes('\ufffd') ? text : undefined;
  } catch {
    return undefined;
  }
}

function percent(charset: string): Encoding {
  return {
    name: 'percent-encoded',
    decode: (text) => decodePercent(text.replaceAll('+', ' '), charset),
    expression: (path) => `percent_decode(${path}, '${charset}')`,
  };
}

function hex(charset: string): Encoding {
  return {
    name: 'hexadecimal',
    decode: (text) => decodeHex(text, charset),
    expression: (path) => `hex_decode(${path}, '${charset}')`,
  };
}

const base64: Encoding = {
  name: 'base64',
  decode: (text) => decodeText(decodeBase64(text), 'utf-8'),
  expression: (path) => `powertools_base64(${path})`,
};

const jsonText: Encoding = {
  name: 'JSON in a text',
  decode: parseExactly,
  expression: (path) => `powertools_json(${path})`,
};

const jsonInBase64: Encoding = {
  name: 'JSON in base64',
  decode: (text) => parseExactly(decodeText(decodeBase64(text), 'utf-8')),
  expression: (path) => `powertools_json(powertools_base64(${path}))`,
};

/** Digits alone are a number or a code, and few hexadecimal digits may be one, too. */
const isHex = (text: string) => /^(?:0x)?(?:[0-9a-f]{2}){4,}$/i.test(text);
const minWideDigits = 16;

/** Returns how texts of a person are encoded once more; undefined if they are plain text. @param texts at least one */
export function encodingOfTexts(texts: readonly string[]): Encoding | undefined {
  const isText = (encoding: Encoding) =>
    texts.every((text) => readableText(() => String(encoding.decode(text))) !== undefined);
  /** Any bytes are text in windows-1252, so most letters of a text in it have to be those of English. */
  const isWestern = (encoding: Encoding) =>
    isText(encoding) &&
    texts.every((text) => {
      const letters = [...String(encoding.decode(text))];
      return letters.filter((letter) => /[A-Za-z ]/.test(letter)).length * 2 >= letters.length;
    });
  const find = (encode: (charset: string) => Encoding) =>
    isText(encode('utf-8'))
      ? encode('utf-8')
      : isWestern(encode('windows-1252'))
        ? encode('windows-1252')
        : undefined;
  const isEscaped = texts.every((text) => /^(?:[^\s%]|%[0-9a-f]{2})*$/i.test(text));
  if (isEscaped && texts.some((text) => /%[0-9a-f]{2}/i.test(text))) return find(percent);
  if (texts.every(isHex)) {
    const isWide = texts.every((text) => text.length % 4 === 0);
    // UTF-16 has a byte of zero in front of each Latin letter, which no other text has.
    if (isWide && texts.some((text) => /^(?:0x)?(?:..)*?00/i.test(text)) && isText(hex('utf-16be')))
      return hex('utf-16be');
    if (!texts.some((text) => /[a-f]/i.test(text))) return undefined;
    const isLong = texts.some((text) => text.length >= minWideDigits);
    return find(hex) ?? (isWide && isLong && isText(hex('utf-16be')) ? hex('utf-16be') : undefined);
  }
  const isBase64 = texts.every(
    (text) => text.length >= 8 && text.length % 4 === 0 && /^[\w+/-]+={0,2}$/.test(text),
  );
  return isBase64 && isText(base64) ? base64 : undefined;
}

/** Returns how numbers are encoded once more, such as `%2B12025550143`; undefined if they are not. @param texts at least one */
export function encodingOfNumbers(texts: readonly string[]): Encoding | undefined {
  return texts.every((text) => /^(?:whatsapp%3A|tel%3A)?%2B\d{7,15}$/i.test(text))
    ? percent('utf-8')
    : undefined;
}

/** Returns how JSON is encoded in texts; undefined if they hold no objects or lists. @param texts at least one */
export function encodingOfJson(texts: readonly string[]): Encoding | undefined {
  return [jsonText, jsonInBase64].find(({ decode }) =>
    texts.every((text) => {
      try {
        const value = decode(text);
        return typeof value === 'object' && value !== null;
      } catch {
        return false;
      }
    }),
  );
}
