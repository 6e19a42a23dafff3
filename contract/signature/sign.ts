import { createHash, createHmac, createSecretKey, sign } from 'node:crypto';
import type {
  JwtSignatureContract,
  SignatureContract,
  SignedTextContract,
} from '../schema/contract-schema.ts';
import { postedJson, type RequestFormat } from '../schema/request-form.ts';
import { publicKeyHash, requireKey } from './keys.ts';
import { type Part, parametersOf, queryOf, requestReader } from './request-reader.ts';
import { compileSignedContent, encodeBytes } from './signed-content.ts';
import { tokenOf } from './token.ts';

/** A request before it is signed. */
export interface UnsignedRequest {
  /** The body; of a GET, the parameters to add to the query. */
  readonly body: Uint8Array;
  /** The event's id, used by schemes that sign one. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly url: string;
  /** Further headers that the template names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A signed request. A scheme may put its values into each part of it. */
export interface SignedRequest {
  /** The headers to add. */
  readonly headers: Record<string, string>;
  readonly url: string;
  /** The body; of a GET, the query. */
  readonly body: Uint8Array;
}

/** Makes the token of a request, in compact form (RFC 7515, section 7.1). */
function signJwt(
  { algorithm, payloadHash, urlHash, issuer = null, id, timestamp, secret: rule }: JwtSignatureContract,
  { body, id: eventId, now, url }: UnsignedRequest,
  secret: string,
): string {
  const claims = {
    ...(issuer === null ? {} : { iss: issuer }),
    ...(timestamp === null ? {} : { [timestamp.claim]: Math.floor(now / 1000) }),
    ...(id === null ? {} : { [id.claim]: eventId }),
    ...(urlHash === null ? {} : { [urlHash.claim]: hashOf(urlHash, url) }),
    ...(payloadHash === null ? {} : { [payloadHash.claim]: hashOf(payloadHash, body) }),
  };
  const content = [{ alg: algorithm, typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const hash = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`;
  const signature =
    hash !== null && algorithm.startsWith('HS')
      ? createHmac(hash, createSecretKey(requireKey(rule, secret)))
          .update(content)
          .digest()
      : // RFC 7518, section 3.4: an ECDSA signature is its two numbers, concatenated.
        sign(hash, Buffer.from(content), { key: secret, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

function hashOf(
  { algorithm, encoding }: NonNullable<JwtSignatureContract['payloadHash']>,
  content: string | Uint8Array,
): string {
  return createHash(algorithm).update(content).digest(encoding);
}

/**
 * Signs a request as the service would, by the contract's scheme. The verifier accepts the result.
 *
 * @param secret the stored secret; for a scheme with a public key, the sender's private key as PEM
 * @param format how the contract says that requests are written
 * @throws Error if the secret cannot sign
 */
export function signedRequest(
  scheme: SignatureContract,
  request: UnsignedRequest,
  secret: string,
  format: RequestFormat,
): SignedRequest {
  const { method } = format;
  const url = method === 'GET' ? withQuery(request.url, Buffer.from(request.body).toString()) : request.url;
  const body = method === 'GET' ? Buffer.from(queryOf(url)) : request.body;
  switch (scheme.scheme) {
    case 'none':
      return { headers: {}, url, body };
    case 'token': {
      const draft = createDraft({ ...request, url, body }, format);
      draft.put({ ...scheme, prefix: '', separator: null }, tokenOf(scheme, secret));
      return draft.request();
    }
    case 'hash':
    case 'hmac':
    case 'public-key':
      return signText(scheme, { ...request, url, body }, secret, format);
    case 'jwt': {
      const token = signJwt(scheme, { ...request, url, body: method === 'GET' ? Buffer.of() : body }, secret);
      return { headers: { [scheme.header]: scheme.prefix + token }, url, body };
    }
  }
}

/**
 * Signs posted JSON by a scheme that needs only headers, like {@link signedRequest}.
 *
 * @returns the headers to add
 */
export function signRequest(
  scheme: SignatureContract,
  request: UnsignedRequest,
  secret: string,
): Record<string, string> {
  return signedRequest(scheme, request, secret, postedJson).headers;
}

function signText(
  scheme: SignedTextContract,
  request: UnsignedRequest,
  secret: string,
  format: RequestFormat,
): SignedRequest {
  const timestamp = writeTime(request.now, scheme.timestamp?.unit);
  const draft = createDraft(request, format);
  if (scheme.timestamp !== null) draft.put(scheme.timestamp, timestamp);
  if (scheme.id !== null) draft.put(scheme.id, request.id);
  if (scheme.payloadHash !== undefined) {
    const { algorithm, encoding, ...part } = scheme.payloadHash;
    const digest = createHash(algorithm).update(draft.request().body).digest();
    draft.put({ ...part, separator: null }, encodeBytes(digest, encoding));
  }
  // A nonce is signed that no other part of the contract names.
  const present = Object.keys({ ...request.headers, ...draft.request().headers }).map((name) =>
    name.toLowerCase(),
  );
  const signed = scheme.signedContent
    .split('{header:')
    .slice(1)
    .map((text) => text.slice(0, text.indexOf('}')));
  for (const header of signed)
    if (/nonce/i.test(header) && !present.includes(header.toLowerCase()))
      draft.put({ header, prefix: '', separator: null }, request.id);
  const { headers, ...rest } = draft.request();
  const reader = requestReader({ ...rest, headers: { ...request.headers, ...headers } }, format, scheme);
  const values = { id: request.id, timestamp, url: reader.url, secret };
  const content = compileSignedContent(scheme.signedContent)(reader)(values);
  if (typeof content === 'string')
    throw new Error(
      `${content === 'ambiguous' ? 'a value holds the text next to it in' : 'the request lacks a header that is named in'} signedContent: ${scheme.signedContent}`,
    );
  draft.put(scheme, encodeBytes(signBytes(scheme, content, secret), scheme.encoding));
  return draft.request();
}

function writeTime(now: number, unit: NonNullable<SignedTextContract['timestamp']>['unit'] = 'milliseconds') {
  if (unit === 'iso8601') return new Date(now).toISOString();
  if (unit === 'http-date') return new Date(now).toUTCString();
  return String(Math.floor(unit === 'seconds' ? now / 1000 : now));
}

function signBytes(scheme: SignedTextContract, content: Uint8Array, secret: string): Uint8Array {
  if (scheme.scheme === 'hash') return createHash(scheme.algorithm).update(content).digest();
  return scheme.scheme === 'hmac'
    ? createHmac(scheme.algorithm, createSecretKey(requireKey(scheme.secret, secret)))
        .update(content)
        .digest()
    : sign(publicKeyHash(scheme.algorithm), content, secret);
}

/** Collects the values that a scheme adds to a request. */
function createDraft({ url: start, body: unsigned }: UnsignedRequest, { method, bodyFormat }: RequestFormat) {
  const headers: Record<string, string> = {};
  let url = start;
  let body = unsigned;
  return {
    request: (): SignedRequest => ({ headers: { ...headers }, url, body }),
    /** Adds a value at its place. Several values may share a header, as entries of a list. */
    put({ header, query, body: field, prefix, separator }: Part, value: string): void {
      const text = prefix + value;
      if (header !== undefined) {
        const before = headers[header];
        headers[header] = before === undefined ? text : before + (separator ?? '') + text;
      } else if (query !== undefined || method === 'GET') {
        url = withQuery(url, String(new URLSearchParams([[query ?? field ?? '', text]])));
        if (method === 'GET') body = Buffer.from(queryOf(url));
      } else if (field !== undefined) body = withField(body, bodyFormat, field, text);
    },
  };
}

function withQuery(url: string, query: string): string {
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** Sets a field of a JSON body or a form. */
function withField(
  body: Uint8Array,
  format: RequestFormat['bodyFormat'],
  field: string,
  value: string,
): Uint8Array {
  const text = Buffer.from(body).toString();
  if (format === 'form') {
    const others = parametersOf(text).filter(({ name }) => name !== field);
    const pair = String(new URLSearchParams([[field, value]]));
    return Buffer.from([...others.map(({ raw }) => raw), pair].join('&'));
  }
  const json: object = JSON.parse(text);
  const path = field.split('.');
  const holder = path.slice(0, -1).reduce((inside, key) => {
    if (Reflect.get(inside, key) === undefined) Reflect.set(inside, key, {});
    return Reflect.get(inside, key);
  }, json);
  Reflect.set(holder, path.at(-1) ?? '', value);
  return Buffer.from(JSON.stringify(json));
}
