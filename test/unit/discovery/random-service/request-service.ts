import { createHash, createHmac } from 'node:crypto';
import { type Change, type Draw, type SigningStyle, type Unsigned, word } from './signing-style.ts';

type Digest = (content: string) => string;
type Pairs = readonly (readonly [string, string])[];

function encodePairs(pairs: Pairs): string {
  const form = new URLSearchParams();
  for (const [name, value] of pairs) form.append(name, value);
  return String(form);
}

/** An HMAC, or a plain hash of a text that holds the secret. */
function drawDigest(draw: Draw) {
  const algorithm = draw(['sha256', 'sha256', 'sha1', 'md5', 'sha512']);
  const encoding = draw(['hex', 'hex', 'base64', 'upper'] as const);
  const isPlain = draw([true, false]);
  const around = draw<(secret: string, text: string) => string>([
    (secret, text) => secret + text,
    (secret, text) => text + secret,
    (secret, text) => `${text}&key=${secret}`,
    (secret, text) => secret + text + secret,
  ]);
  const write = (bytes: Buffer) =>
    encoding === 'upper' ? bytes.toString('hex').toUpperCase() : bytes.toString(encoding);
  const secret = word(draw, 24);
  return {
    name: `${isPlain ? 'hash' : 'hmac'} ${algorithm} in ${encoding}`,
    secret,
    wrongSecret: word(draw, 24),
    digest: ((content) =>
      write(
        isPlain
          ? createHash(algorithm).update(around(secret, content)).digest()
          : createHmac(algorithm, secret).update(content).digest(),
      )) satisfies Digest,
  };
}

const fieldsOf = ({ body }: Unsigned): Pairs => [...new URLSearchParams(body.toString())];

/** A service that signs the parameters of a form or of a query, with the signature among them or in a header. */
export function parameterService(draw: Draw): SigningStyle {
  const { digest, ...signer } = drawDigest(draw);
  const isGet = draw([true, false]);
  const inHeader = draw([true, false, false]);
  const signatureName = draw(['sig', 'sign', 'signature', 'hash']);
  const [pattern, join] = draw<readonly [string, (pairs: Pairs) => string]>([
    ['name=value&', (pairs) => pairs.map((pair) => pair.join('=')).join('&')],
    [
      '&name=value',
      (pairs) => pairs.map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`).join(''),
    ],
    ['namevalue', (pairs) => pairs.flat().join('')],
    ['value', (pairs) => pairs.map(([, value]) => value).join('')],
    ['value|', (pairs) => pairs.map(([, value]) => value).join('|')],
    ['name:value\n', (pairs) => pairs.map((pair) => pair.join(':')).join('\n')],
    ['encoded', (pairs) => encodePairs(pairs)],
  ]);
  const isSorted = draw([true, true, false]);
  return {
    ...signer,
    name: `${signer.name} of ${isSorted ? 'sorted' : 'unsorted'} ${pattern} in ${inHeader ? 'a header' : signatureName}, ${isGet ? 'GET' : 'form'}`,
    covers: ['body'],
    isForm: true,
    masked: false,
    complete: (request) => {
      const pairs: Pairs = [...fieldsOf(request), ['timestamp', String(Math.floor(request.at / 1000))]];
      const order = isSorted ? [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)) : pairs;
      const signature = digest(join(order));
      const sent = inHeader ? pairs : [...pairs, [signatureName, signature] as const];
      const text = encodePairs(sent);
      const [url] = request.url.split('?');
      return {
        headers: inHeader ? { 'X-Signature': signature } : {},
        ...(isGet
          ? { method: 'GET', url: `${url}?${text}`, body: Buffer.of() }
          : { method: 'POST', url: request.url, body: Buffer.from(text) }),
      };
    },
  };
}

/** A service that signs a canonical request: method, path or URL, body and perhaps a time. */
export function canonicalService(draw: Draw): SigningStyle {
  const { digest, ...signer } = drawDigest(draw);
  const separator = draw(['\n', '\n', '\n\n', '|', '', ':']);
  const place = draw(['url', 'path', 'path and query'] as const);
  const content = draw(['body', 'md5', 'sha1', 'sha256'] as const);
  const time = draw(['none', 'value', 'last'] as const);
  const spelled = draw<(url: string) => string>([
    (url) => url,
    (url) => url,
    (url) => url.replace('.test/', '.test:443/'),
    (url) => url.replace('https:', 'http:'),
    (url) => url.replace(/\?|$/, '/$&'),
  ]);
  const covers: Change[] = ['body', ...(time === 'none' ? [] : (['timestamp'] as const))];
  return {
    ...signer,
    name: `${signer.name} of the method, ${place}, ${content} and time (${time}) with ${JSON.stringify(separator)}`,
    covers,
    isForm: false,
    masked: false,
    sign: ({ body, url, at }, change) => {
      const path = url.replace(/^https:\/\/[^/]*/, '');
      const places = { url: spelled(url), path: path.replace(/\?.*/, ''), 'path and query': path };
      const text = content === 'body' ? body.toString() : createHash(content).update(body).digest('base64');
      const seconds = Math.floor(at / 1000);
      const times = time === 'none' ? [] : [String(seconds)];
      const order = ['POST', places[place], ...(time === 'last' ? [text, ...times] : [...times, text])];
      return {
        'X-Signature': digest(order.join(separator)),
        ...(time === 'none' ? {} : { 'X-Timestamp': String(seconds + (change === 'timestamp' ? 1 : 0)) }),
      };
    },
  };
}

/** A service that leaves the body unsigned, or signs only a hash of it that the URL carries. */
export function partialService(draw: Draw): SigningStyle {
  const { digest, ...signer } = drawDigest(draw);
  const kind = draw(['hash in the URL', 'fields of the body', 'headers'] as const);
  const covers: Change[] =
    kind === 'hash in the URL' ? ['body'] : kind === 'headers' ? ['nonce', 'timestamp'] : [];
  return {
    ...signer,
    name: `${signer.name}, ${kind}, body unsigned`,
    covers,
    isForm: false,
    masked: false,
    complete: ({ body, url, at, nonce }, change) => {
      const seconds = String(Math.floor(at / 1000));
      if (kind === 'hash in the URL') {
        const hash = createHash('sha256').update(body).digest('hex');
        const signed = `${url}${url.includes('?') ? '&' : '?'}bodySHA256=${hash}`;
        return { method: 'POST', url: signed, body, headers: { 'X-Signature': digest(signed) } };
      }
      const signature = digest(`${seconds}${kind === 'headers' ? '.' : ''}${nonce}`);
      if (kind === 'fields of the body') {
        const proof = { timestamp: seconds, token: nonce, signature };
        const whole = { ...JSON.parse(body.toString()), signature: proof };
        return { method: 'POST', url, headers: {}, body: Buffer.from(JSON.stringify(whole)) };
      }
      const time = change === 'timestamp' ? String(Number(seconds) + 1) : seconds;
      const sentNonce = change === 'nonce' ? `${nonce}x` : nonce;
      return {
        method: 'POST',
        url,
        body,
        headers: { 'X-Signature': signature, 'X-Timestamp': time, 'X-Nonce': sentNonce },
      };
    },
  };
}
