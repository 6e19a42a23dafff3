import { createHash, createHmac, sign } from 'node:crypto';
import { maskCredential } from '../../../../contract/signature/webhook-request.ts';
import type { Capture } from '../../../../discovery/captured/capture.ts';
import { createRandom, shuffled } from '../../../../local/sms-service/random.ts';
import { canonicalService, parameterService, partialService } from './request-service.ts';
import {
  bytes,
  type Change,
  type Draw,
  drawFrom,
  keyPairs,
  type SigningStyle,
  spellKey,
  word,
} from './signing-style.ts';
import { textService } from './text-service.ts';

/** Unsigned parts of requests: the transport's headers, and ids and words of the service. */
function noiseHeaders(draw: Draw): (draw: Draw) => Readonly<Record<string, string>> {
  const hasRequestId = draw([true, true, false]);
  const hasCorrelationId = draw([true, false]);
  const account = draw([undefined, word(draw, 12)]);
  return (each) => ({
    host: 'hooks.example.test',
    'content-length': '412',
    'content-type': 'application/json; charset=utf-8',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate',
    'user-agent': 'Sender/2.1 (+https://example.test/bot)',
    'x-forwarded-for': '198.51.100.7, 203.0.113.9',
    'x-amzn-trace-id': `Root=1-6967d0c0-${bytes(each, 12).toString('hex')}`,
    traceparent: `00-${bytes(each, 16).toString('hex')}-${bytes(each, 8).toString('hex')}-01`,
    'X-Attempt': '1',
    ...(hasRequestId ? { 'X-Request-Id': bytes(each, 16).toString('hex') } : {}),
    ...(hasCorrelationId ? { 'x-correlation-digest': bytes(each, 20).toString('hex') } : {}),
    ...(account === undefined ? {} : { 'X-Account': account }),
  });
}

/** A service that sends the secret itself, perhaps masked when it was captured. */
function tokenService(draw: Draw): SigningStyle {
  const isBasic = draw([true, false, false]);
  const place = isBasic ? 'header' : draw(['header', 'query', 'form', 'JSON', 'GET'] as const);
  const isHeader = place === 'header';
  const name = isBasic
    ? 'Authorization'
    : isHeader
      ? draw(['Authorization', 'X-Api-Key', 'x-webhook-token'])
      : draw(['token', 'key', 'secret', 'access_token']);
  const prefix = isBasic ? 'Basic ' : draw(isHeader ? ['', 'Bearer ', 'App ', 'Token '] : ['']);
  const masked = draw([true, false]);
  const secretOf = () => (isBasic ? `hooks:${word(draw, 16)}` : word(draw, 24));
  const secret = secretOf();
  const wrongSecret = secretOf();
  const write = (text: string) => prefix + (isBasic ? Buffer.from(text).toString('base64') : text);
  return {
    name: `token ${JSON.stringify(prefix)} in ${name}, ${place}${masked ? ', masked' : ''}`,
    secret,
    wrongSecret,
    covers: ['token'],
    isForm: place === 'form' || place === 'GET',
    masked,
    complete: ({ id, url, body }, change) => {
      const value = write(change === 'token' ? wrongSecret : secret);
      const shown = masked ? maskCredential(value, id) : value;
      return { method: 'POST', url, body, headers: {}, ...withToken(place, name, shown, { url, body }) };
    },
  };
}

function withToken(
  place: 'header' | 'query' | 'form' | 'JSON' | 'GET',
  name: string,
  value: string,
  { url, body }: { readonly url: string; readonly body: Buffer },
) {
  const pair = String(new URLSearchParams([[name, value]]));
  switch (place) {
    case 'header':
      return { headers: { [name]: value } };
    case 'query':
      return { url: `${url}${url.includes('?') ? '&' : '?'}${pair}` };
    case 'form':
      return { body: Buffer.from(`${body}&${pair}`) };
    case 'JSON':
      return { body: Buffer.from(JSON.stringify({ auth: { [name]: value }, ...JSON.parse(String(body)) })) };
    case 'GET':
      return { method: 'GET' as const, url: `${url.split('?')[0]}?${body}&${pair}`, body: Buffer.of() };
  }
}

/** A service that sends a JSON Web Token with a hash of the body, or by GET with one of the URL. */
function jwtService(draw: Draw): SigningStyle {
  const algorithm = draw(['HS256', 'HS384', 'HS512', 'RS256', 'RS512', 'ES256', 'EdDSA']);
  const hash = draw(['sha256', 'sha384', 'sha512']);
  const encoding = draw(['hex', 'base64', 'base64url'] as const);
  const claim = draw(['payload_hash', 'body_sha256', 'sha']);
  const isGet = draw([false, false, true]);
  const urlClaim = isGet ? 'url_hash' : draw([undefined, undefined, 'url_hash']);
  const [header, prefix] = draw<readonly [string, string]>([
    ['Authorization', 'Bearer '],
    ['X-Jwt', ''],
    ['x-webhook-signature', ''],
  ]);
  const hasTime = draw([true, true, false]);
  const hasId = draw([true, false]);
  const { secret, wrongSecret, signText } = signerOf(algorithm, draw);
  const digest = (content: string | Buffer) => createHash(hash).update(content).digest(encoding);
  const covered = isGet ? '' : `${hash} in ${encoding} in ${claim}`;
  return {
    name: `jwt ${algorithm}, ${covered}${urlClaim === undefined ? '' : ' and of the URL'}${isGet ? ', GET' : ''}`,
    secret,
    wrongSecret,
    covers: isGet ? ['url', 'token'] : urlClaim === undefined ? ['body', 'token'] : ['body', 'url', 'token'],
    isForm: isGet,
    masked: false,
    complete: ({ body, url: start, at, id }, change) => {
      const url = isGet ? `${start.split('?')[0]}?${body}` : start;
      const claims = {
        ...(hasTime ? { iat: Math.floor(at / 1000), exp: Math.floor(at / 1000) + 60 } : {}),
        ...(hasId ? { jti: id } : {}),
        iss: 'sender',
        ...(urlClaim === undefined ? {} : { [urlClaim]: digest(url) }),
        ...(isGet ? {} : { [claim]: digest(body) }),
      };
      const content = [{ alg: algorithm, typ: 'JWT' }, claims].map(encode).join('.');
      const signature = signText(content).toString('base64url');
      const token = change === 'token' ? [{ alg: algorithm }, claims].map(encode).join('.') : content;
      const headers = { [header]: `${prefix}${token}.${signature}` };
      return { method: isGet ? 'GET' : 'POST', url, body: isGet ? Buffer.of() : body, headers };
    },
  };
}

function signerOf(algorithm: string, draw: Draw) {
  const hash = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('HS')) {
    const secret = word(draw, 40);
    const signText = (text: string) => createHmac(hash, secret).update(text).digest();
    return { secret, wrongSecret: word(draw, 40), signText };
  }
  const [own, other] = keyPairs(algorithm === 'EdDSA' ? 'ed25519' : algorithm === 'ES256' ? 'ec' : 'rsa');
  const key = { key: own.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return {
    secret: spellKey(own.publicKey, 'pem'),
    wrongSecret: spellKey(other.publicKey, 'pem'),
    signText: (text: string) => sign(algorithm === 'EdDSA' ? null : hash, Buffer.from(text), key),
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

const requestServices = [parameterService, parameterService, canonicalService, partialService] as const;

export interface RandomService extends SigningStyle {
  readonly capture: (number: number, change?: Change) => Capture;
}

/** A service that signs somehow, the same for the same number. */
export function randomService(seed: number): RandomService {
  const random = createRandom(seed * 7919 + 1);
  const draw = drawFrom(random);
  const style = draw([textService, textService, textService, jwtService, tokenService, ...requestServices])(
    draw,
  );
  const noise = noiseHeaders(draw);
  const keepsTime = draw([true, true, true, false]);
  const path = `/hooks/${word(draw, 8)}${draw(['', '?source=sms&v=2'])}`;
  return {
    ...style,
    capture: (number, change) => capture(style, { seed, noise, keepsTime, path }, number, change),
  };
}

function capture(
  style: SigningStyle,
  setting: {
    readonly seed: number;
    readonly noise: (draw: Draw) => Readonly<Record<string, string>>;
    readonly keepsTime: boolean;
    readonly path: string;
  },
  number: number,
  change: Change | undefined,
): Capture {
  const random = createRandom(setting.seed * 7919 + 100 + number);
  const draw = drawFrom(random);
  const at = Date.UTC(2026, 0, 15, 12) + number * 61_007 + draw([0, 137, 904]);
  const id = word(draw, 20);
  const url = `https://hooks.example.test${setting.path}`;
  const body = Buffer.from(bodyOf(style.isForm, number, id, at));
  const unsigned = { body, url, at, id, nonce: word(draw, 16) };
  const sent = style.complete?.(unsigned, change) ?? {
    method: 'POST',
    url,
    body,
    headers: style.sign?.(unsigned, change) ?? {},
  };
  const headers = { ...setting.noise(draw), ...sent.headers };
  const failed = (text: string) => (change === 'body' ? text.replace('delivered', 'failed') : text);
  return {
    name: `request ${number}`,
    method: sent.method,
    url: change === 'url' ? `${sent.url}#` : failed(sent.url),
    headers: Object.fromEntries(shuffled(Object.entries(headers), random)),
    body: change === 'body' ? Buffer.from(failed(sent.body.toString())) : sent.body,
    ...(setting.keepsTime ? { receivedAt: new Date(at + 1400).toISOString() } : {}),
    ...(style.masked ? { masked: true } : {}),
  };
}

function bodyOf(isForm: boolean, number: number, id: string, at: number): string {
  const fields = {
    To: `+120255501${10 + number}`,
    MessageId: id.toUpperCase(),
    Status: 'delivered',
    At: new Date(at).toISOString(),
  };
  return isForm
    ? String(new URLSearchParams(fields))
    : JSON.stringify({ type: 'sms.status', data: { ...fields, attempt: number } });
}
