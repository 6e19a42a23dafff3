import { type Part, readPart, requestReader, urlSpellings } from '../../contract/signature/request-reader.ts';
import { nameOfPlace, type ReadableCapture, type ValuePlace } from './readable-capture.ts';
import { bodyHashIn, isSignatureName, type SignatureSlot, separatorsIn } from './signature-slots.ts';

type TimeUnit = 'seconds' | 'milliseconds' | 'iso8601' | 'http-date';

/** A value, other than the body, that may be signed. */
export interface SignedValue {
  /** A `time` is a time of sending; a `token` is any other word; a `part` is the method, or a part of the URL. */
  readonly kind: 'time' | 'token' | 'url' | 'part';
  /** The place in the request; undefined for the URL and the method. */
  readonly part: Part | undefined;
  /** The name of the place for people; '' for the URL and the method. */
  readonly name: string;
  /** The placeholder in the template. */
  readonly template: string;
  /** The unit of a time. */
  readonly unit: TimeUnit | undefined;
  /** The value in each capture, one character a byte, by the capture's place in the list. */
  readonly texts: readonly (string | undefined)[];
  /** Whether its name suggests that it is signed; always true of the URL and of times. */
  readonly isLikely: boolean;
  /** Other headers that hold the same value in every capture. */
  readonly alike: readonly string[];
}

/** Reports whether a header is named like an id or a nonce that proxies do not add, or like a header with signatures. */
function isLikelySigned(name: string, slots: readonly SignatureSlot[]): boolean {
  const isNamedSo = /nonce|salt|random|time|id$|event|message|delivery/.test(name);
  return isRelated(name, slots) || (isNamedSo && !/request|correlation|trace|span|account/.test(name));
}

/** Reports whether a header with signatures has a similar name, as "webhook-id" and "webhook-signature" do. */
function isRelated(name: string, slots: readonly SignatureSlot[]): boolean {
  const family = name.slice(0, Math.max(name.lastIndexOf('-'), name.lastIndexOf('_')) + 1);
  if (family === '' || family === 'x-') return false;
  return slots.some((slot) => isSignatureName(slot.header) && slot.header.startsWith(family));
}

/** Estimates how likely a value is signed, by its place and its name. A greater number means likelier. */
function likelihood({ part, name, texts, isLikely }: SignedValue, slots: readonly SignatureSlot[]): number {
  return (
    (isLikely ? 8 : 0) +
    (part?.separator === null ? 0 : 4) +
    (/nonce|salt|random|timestamp/.test(name) ? 3 : 0) +
    (/id$|key$|event|message|delivery/.test(name) ? 2 : 0) +
    (isRelated(name, slots) ? 2 : 0) +
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

/** The values of requests that may be signed, each list with the likeliest first. */
export interface SignedValues {
  /** Times and tokens in headers, and the URL. */
  readonly usual: readonly SignedValue[];
  /** Times and tokens that the query or the body carries for the signature. They matter if the body is not signed. */
  readonly carried: readonly SignedValue[];
  readonly method: SignedValue;
  /** The parts of the URL that differ from each other. */
  readonly urls: readonly SignedValue[];
  readonly contentType: SignedValue;
  /** The URL in other spellings, which the verifier tries by itself. */
  readonly spellings: readonly SignedValue[];
}

/**
 * Finds the values that may be signed in addition to the body: the URL, headers, and the entries of signature headers. Of values that
 * are the same in every capture, the likeliest is kept.
 */
export function findValues(
  captures: readonly ReadableCapture[],
  slots: readonly SignatureSlot[],
): SignedValues {
  const slotHeaders = new Set(slots.map(({ header }) => header));
  const values = places(captures, slotHeaders).flatMap((place) => readValue(place, captures, slots) ?? []);
  const likeliest = distinct(values.sort((a, b) => likelihood(b, slots) - likelihood(a, slots)));
  const carried = distinct(
    carriedPlaces(captures, slots).flatMap((place) => readValue(place, captures, slots) ?? []),
  );
  const written = (kind: 'url' | 'part', template: string, textOf: (capture: ReadableCapture) => string) =>
    ({
      kind,
      template,
      part: undefined,
      name: '',
      unit: undefined,
      isLikely: true,
      alike: [],
      texts: captures.map((capture) => bytesOf(textOf(capture))),
    }) satisfies SignedValue;
  const urlParts = ['{url:base}', '{path}', '{path:query}'].map((template) =>
    written('part', template, ({ capture }) => partOf(template, capture.url)),
  );
  const url = written('url', '{url}', ({ capture }) => capture.url);
  return {
    usual: [
      ...likeliest.filter(({ kind }) => kind === 'time').slice(0, maxTimes),
      ...likeliest.filter(({ kind }) => kind === 'token').slice(0, maxTokens),
      url,
    ],
    carried: [
      ...carried.filter(({ kind }) => kind === 'time').slice(0, maxTimes),
      ...carried.filter(({ kind }) => kind === 'token').slice(0, maxTokens),
    ],
    method: written('part', '{method}', ({ method }) => method),
    urls: distinct([url, ...urlParts]),
    spellings: distinct(
      [1, 2, 3, 4, 5, 6].map((index) =>
        written('url', '{url}', ({ capture }) => urlSpellings(capture.url)[index] ?? capture.url),
      ),
    ).filter(({ texts }) => texts.join() !== url.texts.join()),
    contentType: {
      ...written('part', '{header:content-type}', ({ capture: { headers } }) => {
        const name = Object.keys(headers).find((key) => key.toLowerCase() === 'content-type');
        return name === undefined ? '' : (headers[name] ?? '');
      }),
    },
  };
}

function partOf(template: string, url: string): string {
  const [, scheme = '', host = '', path = '', query = ''] =
    /^(\w+:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  if (template === '{url:base}') return scheme + host + path;
  if (template === '{path}') return path;
  return path + query;
}

/** Lists every header as a whole, and the entries of headers that carry signatures. */
function places(captures: readonly ReadableCapture[], slotHeaders: ReadonlySet<string>): readonly Part[] {
  const parts = new Map<string, Part>();
  const add = (part: Part) => parts.set(JSON.stringify(part), part);
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

/** Lists the fields that stand beside a signature, or are named like what a signature covers. */
function carriedPlaces(
  captures: readonly ReadableCapture[],
  slots: readonly SignatureSlot[],
): readonly Part[] {
  const found = new Map<string, Part>();
  const holders = slots.flatMap(({ place }) => ('body' in place ? holderOf(place.body) : []));
  for (const { fields } of captures)
    for (const [place] of fields) {
      const name = nameIn(place);
      const isNamedSo = /nonce|salt|random|token|time|ts$|date|id$/i.test(name);
      const isBeside =
        'body' in place && holders.some((holder) => holder !== '' && holder === holderOf(place.body));
      if (isNamedSo || isBeside) found.set(JSON.stringify(place), { ...place, prefix: '', separator: null });
    }
  return [...found.values()].sort((a, b) => rank(a) - rank(b));

  function rank(part: Part): number {
    const isBeside = part.body !== undefined && holders.includes(holderOf(part.body));
    return (isBeside ? 0 : 2) + (/nonce|token|timestamp/i.test(nameOfPlace(part)) ? 0 : 1);
  }
}

function holderOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

function nameIn(place: ValuePlace): string {
  if ('header' in place) return place.header;
  return 'query' in place ? place.query : (place.body.split('.').at(-1) ?? '');
}

function readValue(
  place: Part,
  captures: readonly ReadableCapture[],
  slots: readonly SignatureSlot[],
): SignedValue | undefined {
  const readers = captures.map((readable) =>
    requestReader({ ...readable.capture, headers: Object.fromEntries(readable.headers) }, readable),
  );
  const texts = readers.map((request) => readPart(place, request));
  const value = {
    part: place,
    name: nameOfPlace(place),
    texts: texts.map((text) => text && bytesOf(text)),
    isLikely: true,
    alike: [],
  };
  const units = ['seconds', 'milliseconds', 'iso8601', 'http-date'] as const;
  const unit = units.find((each) => isTime(texts, each, captures));
  if (unit !== undefined) return { ...value, kind: 'time', unit, template: '{timestamp}' };

  const { header, query, body } = place;
  const template =
    header !== undefined
      ? `{header:${header}}`
      : query !== undefined
        ? `{parameter:${query}}`
        : `{field:${body}}`;
  const token = (isLikely: boolean): SignedValue => ({
    ...value,
    kind: 'token',
    unit: undefined,
    template,
    isLikely,
  });
  if (texts.some((text, index) => text !== undefined && isBodyHash(text, captures[index])))
    return token(true);
  const isEntry = place.prefix !== '' || place.separator !== null;
  const isSignature = isEntry
    ? slots.some((slot) => slot.header === header && slot.prefix === place.prefix)
    : slots.some((slot) => slot.header === value.name) &&
      isSignatureName(value.name) &&
      !/nonce|salt|random|time|id$/.test(value.name);
  const shape = isEntry ? shortWord : oneWord;
  // An entry with a prefix such as "v0=" is a signature of another version.
  if (isSignature || (isEntry && (place.prefix === '' || /^v\d/.test(place.prefix)))) return undefined;
  return texts.some((text) => text !== undefined && shape.test(text))
    ? token(header === undefined || isEntry || isLikelySigned(header, slots))
    : undefined;
}

function isBodyHash(text: string, capture: ReadableCapture | undefined): boolean {
  return capture !== undefined && text.length <= 144 && bodyHashIn(text, capture.capture.body) !== undefined;
}

const timeShapes: Readonly<Record<TimeUnit, RegExp>> = {
  seconds: /^[1-4]\d{9}$/,
  milliseconds: /^[1-4]\d{12}$/,
  iso8601: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/,
  'http-date': /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/,
};

/** Reports whether some capture has a time there, close to its time of receipt if that is known. */
function isTime(
  texts: readonly (string | undefined)[],
  unit: TimeUnit,
  captures: readonly ReadableCapture[],
): boolean {
  return texts.some((text, index) => {
    if (text === undefined || !timeShapes[unit].test(text)) return false;
    const isNumber = unit === 'seconds' || unit === 'milliseconds';
    const sentAt = isNumber ? Number(text) * (unit === 'seconds' ? 1000 : 1) : Date.parse(text);
    return Math.abs((captures[index]?.receivedAt ?? sentAt) - sentAt) <= plausibleAgeMs;
  });
}

/** Joins the values that are the same in every capture. */
function distinct(values: readonly SignedValue[]): readonly SignedValue[] {
  const kept = Map.groupBy(values, ({ kind, texts }) => JSON.stringify([kind === 'time', texts]));
  return [...kept.values()].flatMap(([first, ...others]) => {
    const elsewhere = new Set(
      others.map(({ name }) => name).filter((name) => name !== '' && name !== first?.name),
    );
    return first === undefined ? [] : { ...first, alike: [...elsewhere] };
  });
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
