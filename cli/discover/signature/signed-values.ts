import { type HeaderPart, readPart } from '../../../functions/core/signature/header-value.ts';
import { separatorsIn } from './header-list.ts';
import type { ReadableCapture } from './readable-capture.ts';
import { isSignatureName, type SignatureSlot } from './signature-slots.ts';
import type { SignedValue } from './signed-value.ts';
import { isLikelySigned, likelihood } from './value-likelihood.ts';

/** More would multiply what is to be tried; the unlikely ones are left out. */
const mostTokens = 4;
const mostTimes = 2;
/** A number further from the arrival is no time of sending. */
const plausibleAgeMs = 2 * 86_400_000;
const entryShape = /^((?:[A-Za-z][\w-]{0,31} )?[A-Za-z][\w-]{0,31}[=:])(.+)$/;
const oneWord = /^[\x21-\x7e]{4,200}$/;
const shortWord = /^[\w.:+/-]{1,100}$/;

/**
 * The values that may be signed beside the body: the URL, and what headers and the entries of signature headers hold.
 * Of those that are the same in every capture the likeliest is kept.
 *
 * @returns times first, then tokens, the likeliest first, then the URL
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
    ...likeliest.filter(({ kind }) => kind === 'time').slice(0, mostTimes),
    ...likeliest.filter(({ kind }) => kind === 'token').slice(0, mostTokens),
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

/** Every header as a whole, and the entries of those that carry signatures. */
function places(
  captures: readonly ReadableCapture[],
  slotHeaders: ReadonlySet<string>,
): readonly HeaderPart[] {
  const found = new Map<string, HeaderPart>();
  const add = (part: HeaderPart) => found.set(JSON.stringify(part), part);
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
  return [...found.values()];
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
  // An entry such as "v0=" is a signature of another version.
  if (isSignature || (isEntry && (place.prefix === '' || /^v\d/.test(place.prefix)))) return undefined;
  return texts.some((text) => text !== undefined && shape.test(text))
    ? { ...value, kind: 'token', unit: 'seconds', isLikely: isEntry || isLikelySigned(place.header, slots) }
    : undefined;
}

/** Whether some capture has a time there, and near its arrival, if that was kept of any. */
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

/** Values that are the same in every capture are one. */
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
