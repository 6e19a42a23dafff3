import { percentEncode } from '../../../contract/text/percent-encode.ts';

/**
 * Returns what replaces secrets in a text, in each notation that an answer of a service may give them: as they are, with escapes of JSON
 * (`\/` of PHP, `\u002B` of .NET), of URLs and of HTML, also within each other, in both alphabets of base64, without the `=` at their
 * end, and in base64, also as a part of a longer text (`user:password`). The time grows with the lengths of the text and of the secrets alone, also if a
 * sender or the service chose both.
 */
export function createSecretSearch(
  secrets: readonly string[],
  replacement: string,
): (text: string) => string {
  const plain = [...new Set(secrets)].filter((secret) => secret !== '');
  const needles = [...new Set(plain.flatMap(notationsOf))].filter((needle) => needle !== '');
  return (text) => {
    const places = plain.flatMap((secret) =>
      [...placesOf(secret, text)].map((at) => [at, at + secret.length] as const),
    );
    const rest = replaceSpans(text, places, replacement);
    return replaceSpans(rest, spansOf(needles, withoutEscapes(rest)), replacement);
  };
}

/** Base64 of a shorter secret could be a part of any word. In bytes. */
const minBytesInBase64 = 6;

/** Returns how {@link withoutEscapes} shows a secret in each of its notations. */
function notationsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // A text in base64 may begin before the secret: then the bits of its first characters are shifted.
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const whole = Math.floor(((before + bytes.length) * 4) / 3);
    return text.slice(Math.ceil((before * 4) / 3), whole);
  });
  const inJson = JSON.stringify(secret).slice(1, -1);
  const notations = [
    secret,
    inJson,
    percentEncode(secret),
    ...(bytes.length < minBytesInBase64 ? [] : inBase64),
  ];
  return notations.map((notation) => withoutEscapes(notation).text.replace(/={1,2}$/, ''));
}

interface Unescaped {
  readonly text: string;
  /** Where each character begins in the text with escapes, and where the last one ends. Undefined if nothing was escaped. */
  readonly starts: Uint32Array | undefined;
}

const escapes =
  /\\+(?:u([\da-f]{4}))?|%([\da-f]{2})|&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const htmlNames: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Escapes within each other: a URL in JSON in HTML has three levels. */
const maxLevels = 5;

/** Removes escapes and backslashes, and writes `-` for `+` and a space, which is `+` in a form, and `_` for `/`, as base64 for URLs does. */
function withoutEscapes(text: string): Unescaped {
  let shown: Unescaped = { text, starts: undefined };
  for (let level = 0; level < maxLevels; level++) {
    const next = withoutLevel(shown);
    if (next === undefined) break;
    shown = next;
  }
  return { text: shown.text.replace(/[+ ]/g, '-').replaceAll('/', '_'), starts: shown.starts };
}

/** Returns undefined if nothing is escaped. */
function withoutLevel({ text, starts }: Unescaped): Unescaped | undefined {
  const parts: string[] = [];
  const found = new Uint32Array(text.length + 1);
  let length = 0;
  let end = 0;
  let isChanged = false;
  /** Where backslashes begin that belong to the next character: they stay with it if a secret ends before them. */
  let before: number | undefined;
  const add = (part: string, from: number, isWhole: boolean) => {
    parts.push(part);
    for (let index = 0; index < part.length; index++) {
      const at = before ?? (isWhole ? from : from + index);
      before = undefined;
      found[length++] = starts?.[at] ?? at;
    }
  };
  for (const match of text.matchAll(escapes)) {
    const character = characterOf(match);
    if (character === undefined) continue;
    add(text.slice(end, match.index), end, false);
    if (character === '') before ??= match.index;
    else add(character, match.index, true);
    end = match.index + match[0].length;
    isChanged = true;
  }
  if (!isChanged) return undefined;
  add(text.slice(end), end, false);
  found[length] = starts?.[text.length] ?? text.length;
  return { text: parts.join(''), starts: found.subarray(0, length + 1) };
}

/** Returns what an escape stands for; undefined for a byte that is only a part of a character. */
function characterOf([, json, url, decimal, hexadecimal, name]: RegExpMatchArray): string | undefined {
  if (url !== undefined) {
    const byte = Number.parseInt(url, 16);
    return byte < 0x80 ? String.fromCharCode(byte) : undefined;
  }
  if (name !== undefined) return htmlNames[name.toLowerCase()] ?? '';
  const hex = json ?? hexadecimal;
  if (hex === undefined && decimal === undefined) return '';
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Returns where the texts are in the text with escapes: pairs of a beginning and an end. */
function spansOf(needles: readonly string[], { text, starts }: Unescaped): (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  for (const needle of needles)
    for (const at of placesOf(needle, text)) {
      let end = at + needle.length;
      while (text[end] === '=') end++;
      spans.push([starts?.[at] ?? at, starts?.[end] ?? end]);
    }
  return spans;
}

/**
 * Yields where a needle is in a text (Knuth, Morris and Pratt). `indexOf` may compare the whole needle at each place, which takes half a minute for a
 * text of 800 KB and a secret of 80 KB that a sender or a service made for it.
 */
function* placesOf(needle: string, text: string): Generator<number, void> {
  if (text.length < needle.length) return;
  /** For each beginning of the needle, how much of its end is a shorter beginning. */
  const borders = new Uint32Array(needle.length);
  const extended = (matched: number, unit: number): number => {
    let length = matched;
    while (length > 0 && needle.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    return needle.charCodeAt(length) === unit ? length + 1 : 0;
  };
  for (let index = 1; index < needle.length; index++)
    borders[index] = extended(borders[index - 1] ?? 0, needle.charCodeAt(index));
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    matched = extended(matched, text.charCodeAt(index));
    if (matched < needle.length) continue;
    yield index + 1 - matched;
    matched = 0;
  }
}

function replaceSpans(
  text: string,
  spans: readonly (readonly [number, number])[],
  replacement: string,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    if (start >= done) parts.push(text.slice(done, start), replacement);
    done = Math.max(done, end);
  }
  return parts.join('') + text.slice(done);
}
