import fc from 'fast-check';
import { parseJson } from '../../../contract/text/json.ts';
import { hostileJson, hostileTexts, magicNames, privateNumber } from './hostile-values.ts';

/** Now and then anything in place of a value that is accepted. */
export const mostly = <T>(good: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: other });

const charsets = ['utf-8', 'iso-8859-1', 'latin1', 'utf-16', 'utf-7', 'x', '"', '"utf-8', '=?utf-8?', '\0'];
const mediaTypes = fc
  .tuple(
    fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/xml',
      'text/plain',
      'multipart/form-data; boundary=b',
      'application/octet-stream',
      '',
      ';',
    ),
    fc.constantFrom('', ';charset=', '; charset=', ';CHARSET =', ';charset=utf-8;charset='),
    fc.constantFrom(...charsets),
  )
  .map(([type, word, charset]) => (word === '' ? type : type + word + charset));

/** Headers by name in lower case, as API Gateway passes them on. */
export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constant('content-type'), mediaTypes),
      fc.tuple(
        fc.oneof(
          hostileTexts.map((name) => name.toLowerCase()),
          fc.constantFrom('content-encoding', 'x-forwarded-for', 'cookie', 'accept-encoding', ...magicNames),
        ),
        hostileTexts,
      ),
    ),
    { maxLength: 3 },
  )
  .map((headers) => Object.fromEntries(headers));

/** `%` alone, invalid and repeated percent-encoding, encoded separators, and bytes that are no UTF-8. */
export const hostileSegments: fc.Arbitrary<string> = fc.oneof(
  hostileTexts,
  hostileTexts.map((text) => encodeURIComponent(text.toWellFormed())),
  hostileTexts.map((text) => encodeURIComponent(encodeURIComponent(text.toWellFormed()))),
  fc.constantFrom('%', '%%', '%zz', '%E0', '%2F', '%252F', '%00', '..', '%2e%2e', '%ff%fe', '%u0041', '+'),
);

export const hostileQueries: fc.Arbitrary<string> = fc
  .array(fc.tuple(hostileSegments, hostileSegments), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const formOf = (name: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(name, hostileSegments), { maxLength: 6 })
    .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&'));

const xml = fc
  .tuple(hostileTexts, hostileTexts)
  .map(([name, text]) => `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "${text}">]><${name}>&b;</${name}>`);

/** JSON, forms, texts like XML, and any bytes; base64. */
export const hostileBodies: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 3, arbitrary: hostileJson },
    { weight: 3, arbitrary: formOf(hostileSegments) },
    { weight: 1, arbitrary: xml },
    { weight: 1, arbitrary: hostileTexts },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '\ufeff{}', `{"to":"${privateNumber}"}`, '[]', '{"a":'),
    },
  )
  .map((text) => Buffer.from(text).toString('base64'));

export const hostileBytes: fc.Arbitrary<string> = fc
  .uint8Array({ maxLength: 64 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

/** Makes a tree of JSON from a valid one: values replaced, removed, repeated, wrapped, and keys added. */
export interface JsonChange {
  /** Which of the places, modulo their number. */
  readonly at: number;
  readonly do: 'replace' | 'remove' | 'rename' | 'wrap' | 'add' | 'swap';
  readonly json: string;
  readonly name: string;
}

export const jsonChanges = (values: fc.Arbitrary<string> = hostileJson): fc.Arbitrary<JsonChange[]> =>
  fc.array(
    fc.record({
      at: fc.nat(5_000),
      do: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'rename', 'wrap', 'add', 'swap'),
      json: values,
      name: fc.oneof(hostileTexts, fc.constantFrom(...magicNames)),
    }),
    { maxLength: 3 },
  );

/** Applies changes to a copy. */
export function changedJson(original: unknown, changes: readonly JsonChange[]): unknown {
  const root: Record<string, unknown> = { root: structuredClone(original) };
  for (const change of changes) {
    const places = placesIn(root);
    const place = places[change.at % places.length];
    if (place !== undefined) applyTo(place, change, places);
  }
  return root.root;
}

interface Place {
  readonly within: Record<string, unknown> | unknown[];
  readonly key: string;
  readonly value: unknown;
}

function applyTo({ within, key, value }: Place, change: JsonChange, places: readonly Place[]): void {
  const own = within as Record<string, unknown>;
  const set = (name: string, to: unknown) =>
    Object.defineProperty(own, name, { value: to, enumerable: true, configurable: true, writable: true });
  switch (change.do) {
    case 'replace':
      return void set(key, valueIn(change));
    case 'wrap':
      return void set(key, change.at % 2 === 0 ? [value] : { [change.name]: value });
    case 'swap':
      return void set(key, structuredClone(places[(change.at * 7) % places.length]?.value));
    case 'add':
      if (Array.isArray(within)) within.push(valueIn(change));
      else set(change.name, valueIn(change));
      return;
    case 'remove':
    case 'rename':
      if (Array.isArray(within)) return void within.splice(Number(key), 1);
      if (key === 'root') return;
      delete own[key];
      if (change.do === 'rename') set(change.name, value);
  }
}

/** A text that is not JSON stands for itself. */
const valueIn = ({ json }: JsonChange): unknown => parseJson(json) ?? json;

function placesIn(value: unknown, depth = 0): Place[] {
  if (typeof value !== 'object' || value === null || depth > 60) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { within: value as Record<string, unknown>, key, value: inner },
    ...placesIn(inner, depth + 1),
  ]);
}
