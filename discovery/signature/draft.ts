import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import { coverageOf } from '../../contract/schema/coverage.ts';
import { parseTemplate, touching } from '../../contract/schema/signed-template.ts';
import { requestReader } from '../../contract/signature/request-reader.ts';
import type { Layout } from './layouts.ts';
import type { Probe } from './probes.ts';
import type { ReadableCapture } from './readable-capture.ts';
import { bodyHashIn, type Encoding, type SignatureSlot } from './signature-slots.ts';
import { type SignedValue, varies } from './signed-values.ts';

/** A scheme as contract.json would hold it, not yet validated. */
interface Draft {
  readonly scheme: SignatureContract['scheme'];
  readonly [key: string]: unknown;
}

/** The part of a match that decides about the scheme. */
export interface Match {
  readonly probe: Probe;
  readonly slot: SignatureSlot;
  /** The texts around the content, which may hold the secret. */
  readonly before: string;
  readonly after: string;
  readonly layout: Layout;
}

const twoEntries =
  'two of the signed values are entries of lists, and it can name only one of those, as its id';

/**
 * Writes the scheme of a match.
 *
 * @param form the placeholder of the body
 * @returns in words why there can be none, otherwise
 */
export function draftScheme(
  { probe, slot, before, after, layout }: Match,
  form: string,
  encoding: Encoding,
  captures: readonly ReadableCapture[],
): ((toleranceSeconds: number) => Draft) | string {
  const values = layout.order.filter((value) => value !== null);
  const time = values.find(({ kind }) => kind === 'time') ?? timeAmong(captures, form);
  const tokens = values.filter(({ kind }) => kind === 'token');
  const method = captures[0]?.method ?? 'POST';
  const isUnsigned = (template: string, hash: object | undefined) => {
    const parts = { signedContent: template, id: null, timestamp: null, payloadHash: hash };
    return !coverageOf(parts, method).body;
  };
  const payloadHash = layout.form === undefined ? carriedHash(captures, slot) : undefined;
  const plain = before + templateOf(layout, form, undefined, captures) + after;
  const hash = isUnsigned(plain, payloadHash) ? undefined : payloadHash;
  const unsignedBody = isUnsigned(plain, hash);
  const id = idOf(tokens, unsignedBody);
  if (tokens.some((token) => isEntry(token) && token !== id)) return twoEntries;
  if (unsignedBody && id === undefined)
    return 'the signature covers no part of the body, and nothing that is different in each request, so anyone who has seen one request can send any other with its signature';
  return (toleranceSeconds) => ({
    ...probe.fields,
    encoding,
    ...slot.place,
    prefix: slot.prefix,
    separator: slot.separator ?? (/^v\d+,$/.test(slot.prefix) ? ' ' : null),
    signedContent: before + templateOf(layout, form, id, captures) + after,
    ...(unsignedBody ? { unsignedBody } : {}),
    ...(hash === undefined ? {} : { payloadHash: hash }),
    id: id?.part ?? null,
    timestamp: time === undefined ? null : { ...time.part, unit: time.unit, toleranceSeconds },
  });
}

/** Finds a hash of the body in the query or in a header. */
function carriedHash(captures: readonly ReadableCapture[], slot: SignatureSlot) {
  for (const { capture, headers, fields } of captures) {
    if (capture.body.length === 0) continue;
    const named = [...headers].map(([header, value]) => [{ header }, value] as const);
    for (const [place, value] of [...fields, ...named]) {
      const found = 'body' in place || value.length > 144 ? undefined : bodyHashIn(value, capture.body);
      const isSignature = JSON.stringify(place) === JSON.stringify(slot.place);
      if (found !== undefined && !isSignature) return { ...place, ...found };
    }
  }
  return undefined;
}

/** Finds the time of sending among signed parameters. */
function timeAmong(
  captures: readonly ReadableCapture[],
  form: string,
): Pick<SignedValue, 'part' | 'unit'> | undefined {
  const covers = { body: /\{(?:form|fields|params)/.test(form), query: /\{(?:query|params)/.test(form) };
  const method = captures[0]?.method;
  const places = captures[0]?.fields.map(([place]) => place) ?? [];
  for (const place of places) {
    const name = 'query' in place ? place.query : 'body' in place ? place.body : '';
    const isCovered = 'query' in place ? covers.query || (method === 'GET' && covers.body) : covers.body;
    if (!isCovered || !/^(?:ts|timestamp|time|(?:.*[_-])?timestamp)$/i.test(name)) continue;
    const part = { ...place, prefix: '', separator: null };
    const near = captures.every((readable) => {
      const { capture, receivedAt } = readable;
      const reader = requestReader(capture, readable);
      const text = 'query' in place ? reader.parameter(name) : reader.field(name);
      const at = Number(text) * 1000;
      return /^[1-4]\d{9}$/.test(text ?? '') && Math.abs((receivedAt ?? at) - at) < 86_400_000;
    });
    if (near) return { part, unit: 'seconds' };
  }
  return undefined;
}

/** Chooses the value that the contract calls its id: an entry of a list, or a header named like an id that differs between requests. */
function idOf(tokens: readonly SignedValue[], isNeeded: boolean): SignedValue | undefined {
  const named = tokens.find(isEntry) ?? tokens.find((value) => isIdName(value.name) && varies(value.texts));
  return named ?? (isNeeded ? tokens.find(({ texts }) => varies(texts)) : undefined);
}

function isIdName(name: string): boolean {
  return (
    /(?:^|[-_.])(?:u?u?id|guid)$|idempotency|event|message|delivery/.test(name) &&
    !/nonce|account|key-?id/.test(name)
  );
}

function isEntry({ part }: SignedValue): boolean {
  return part !== undefined && (part.prefix !== '' || part.separator !== null);
}

function templateOf(
  { order, word, separator }: Layout,
  form: string,
  id: SignedValue | undefined,
  captures: readonly ReadableCapture[],
): string {
  const placeholders = order.map((value) => {
    if (value === null) return form;
    return value === id ? '{id}' : value.template;
  });
  const written = word + placeholders.join(separator);
  // A query without a text behind it could take bytes of the body.
  const isBare =
    touching(parseTemplate(written)).includes('url') &&
    !captures.some(({ capture }) => capture.url.includes('?'));
  return isBare ? written.replace('{url}', '{url:base}') : written;
}
