import { type HeaderPart, readPart } from '../../signature/webhook-request.ts';
import type { ReadableCapture } from './readable-capture.ts';
import { isSignatureName, type SignatureSlot, separatorsIn } from './signature-slots.ts';

/** A value, other than the body, that may be signed. */
export interface SignedValue extends HeaderPart {
  /** A `time` is a number of seconds or milliseconds; a `token` is any other word. */
  readonly kind: 'time' | 'token' | 'url';
  readonly unit: 'seconds' | 'milliseconds';
  /** The value in each capture, one character a byte, by the capture's place in the list. */
  readonly texts: readonly (string | undefined)[];
  /** Whether its name suggests that it is signed; always true of the URL and of times. */
  readonly isLikely: boolean;
  /** Other headers that hold the same value in every capture. */
  readonly alike: readonly string[];
}

/** Reports whether a header is named like an id or a nonce that proxies do not add, or like a header with signatures. */
function isLikelySigned(header: string, slots: readonly SignatureSlot[]): boolean {
  const isNamedSo = /nonce|salt|random|time|id$|event|message|delivery/.test(header);
  return isRelated(header, slots) || (isNamedSo && !/request|correlation|trace|span|account/.test(header));
}

/** Reports whether a header with signatures has a similar name, as "webhook-id" and "webhook-signature" do. */
function isRelated(header: string, slots: readonly SignatureSlot[]): boolean {
  const family = header.replace(/[^-_]+$/, '');
  if (family === '' || family === 'x-') return false;
  return slots.some((slot) => isSignatureName(slot.header) && slot.header.startsWith(family));
}

/** Estimates how likely a value is signed, by its place and its name. A greater number means likelier. */
function likelihood(
  { header, separator, texts, isLikely }: SignedValue,
  slots: readonly SignatureSlot[],
): number {
  return (
    (isLikely ? 8 : 0) +
    (separator === null ? 0 : 4) +
    (/nonce|salt|random|timestamp/.test(header) ? 3 : 0) +
    (/id$|key$|event|message|delivery/.test(header) ? 2 : 0) +
    (isRelated(header, slots) ? 2 : 0) +
    (varies(texts) ? 1 : 0)
  );
}

/** Reports whether a value differs between captures; true for a single capture. */
export function varies(texts: SignedValue['texts']): boolean {
  const present = texts.filter((text) => text !== undefined);
  return present.length < 2 || new Set(present).size > 1;
}

/** More values would multiply the candidates, so the unlikely ones are left out. */
const maxTokens = 4;
const maxTimes = 2;
/** A number that is further from the time of receipt is not the time of sending. */
const plausibleAgeMs = 2 * 86_400_000;
const entryShape = /^((?:[A-Za-z][\w-]{0,31} )?[A-Za-z][\w-]{0,31}[=:])(.+)$/;
const oneWord = /^[\x21-\x7e]{4,200}$/;
const shortWord = /^[\w.:+/-]{1,100}$/;

/**
 * Finds the values that may be signed in addition to the body: the URL, headers, and the entries of signature headers. Of values that
 * are the same in every capture, the likeliest is kept.
 *
 * @returns times first, then tokens, each with the likeliest first, then the URL
 */
export function findValues(
  captures: readonly ReadableCapture[],
  slots: readonly SignatureSlot[],
): readonly SignedValue[] {
  const slotHeaders = new Set(slots.map(({ header }) => header));
  const values = places(captures, slotHeaders).flatMap((place) => readValue(place, captures, slots) ?? []);
  const likeliest = distinct(values.sort((a, b) => likelihood(b, slots) - likelihood(a, slots)));
  const urls = captures.map(({ capture }) => bytesOf(capture.url));
  return [
    ...likeliest.filter(({ kind }) => kind === 'time').slice(0, maxTimes),
    ...likeliest.filter(({ kind }) => kind === 'token').slice(0, maxTokens),
    {
      kind: 'url',
      isLikely: true,
      header: '',
      prefix: '',
      separator: null,
      unit: 'seconds',
      texts: urls,
      alike: [],
    },
  ];
}

/** Lists every header as a whole, and the entries of headers that carry signatures. */
function places(
  captures: readonly ReadableCapture[],
  slotHeaders: ReadonlySet<string>,
): readonly HeaderPart[] {
  const parts = new Map<string, HeaderPart>();
  const add = (part: HeaderPart) => parts.set(JSON.stringify(part), part);
  for (const { headers } of captures)
    for (const [header, value] of headers) {
      add({ header, prefix: '', separator: null });
      if (!slotHeaders.has(header)) continue;
      for (const separator of separatorsIn(value)) {
        add({ header, prefix: '', separator });
        for (const entry of value.split(separator)) {
          const prefix = entryShape.exec(entry)?.[1];
          if (prefix !== undefined) add({ header, prefix, separator });
        }
      }
    }
  return [...parts.values()];
}

function readValue(
  place: HeaderPart,
  captures: readonly ReadableCapture[],
  slots: readonly SignatureSlot[],
): SignedValue | undefined {
  const texts = captures.map(({ headers }) => readPart(place, (name) => headers.get(name)));
  const value = {
    ...place,
    texts: texts.map((text) => text && bytesOf(text)),
    isLikely: true,
    alike: [],
  };
  const unit = (['seconds', 'milliseconds'] as const).find((unit) => isTime(texts, unit, captures));
  if (unit !== undefined) return { ...value, kind: 'time', unit };

  const isEntry = place.prefix !== '' || place.separator !== null;
  const isSignature = isEntry
    ? slots.some(({ header, prefix }) => header === place.header && prefix === place.prefix)
    : slots.some(({ header }) => header === place.header) &&
      isSignatureName(place.header) &&
      !/nonce|salt|random|time|id$/.test(place.header);
  const shape = isEntry ? shortWord : oneWord;
  // An entry with a prefix such as "v0=" is a signature of another version.
  if (isSignature || (isEntry && (place.prefix === '' || /^v\d/.test(place.prefix)))) return undefined;
  return texts.some((text) => text !== undefined && shape.test(text))
    ? { ...value, kind: 'token', unit: 'seconds', isLikely: isEntry || isLikelySigned(place.header, slots) }
    : undefined;
}

/** Reports whether some capture has a time there, close to its time of receipt where that is known. */
function isTime(
  texts: readonly (string | undefined)[],
  unit: 'seconds' | 'milliseconds',
  captures: readonly ReadableCapture[],
): boolean {
  const shape = unit === 'seconds' ? /^[1-4]\d{9}$/ : /^[1-4]\d{12}$/;
  const distances = texts.flatMap((text, index) => {
    if (text === undefined || !shape.test(text)) return [];
    const sentAt = Number(text) * (unit === 'seconds' ? 1000 : 1);
    return Math.abs((captures[index]?.receivedAt ?? sentAt) - sentAt);
  });
  return distances.some((distance) => distance <= plausibleAgeMs);
}

/** Joins the values that are the same in every capture. */
function distinct(values: readonly SignedValue[]): readonly SignedValue[] {
  const kept = Map.groupBy(values, ({ kind, texts }) => JSON.stringify([kind === 'time', texts]));
  return [...kept.values()].flatMap(([first, ...others]) => {
    const elsewhere = new Set(
      others.map(({ header }) => header).filter((header) => header !== first?.header),
    );
    return first === undefined ? [] : { ...first, alike: [...elsewhere] };
  });
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
