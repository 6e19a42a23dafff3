import { createHash, createHmac, sign } from 'node:crypto';
import {
  bytes,
  type Change,
  type Draw,
  keyPairs,
  type SigningStyle,
  spellKey,
  type Unsigned,
  word,
} from './signing-style.ts';

type Covered = 'timestamp' | 'id' | 'nonce' | 'url';

/** A service that signs a text made of the request, with a shared secret or a key of its own. */
export function textService(draw: Draw): SigningStyle {
  const isForm = draw([true, false, false]);
  const signer = draw([hmacSigner, hmacSigner, keySigner])(draw);
  // Where every check is a verification with a key, a search has not the time for three values beside a form, or a version.
  const most = signer.isSlow && isForm ? 2 : 3;
  const values = drawValues(draw, Math.min(most, draw([0, 1, 1, 2, 2, 3])));
  const hasToken = values.some((value) => value === 'id' || value === 'nonce');
  const separator = draw([
    ...(hasToken ? (['.'] as const) : (['', '.'] as const)),
    ...(['.', ':', '|', '\n', '&', ';', ',', '-', '_', '+', ' '] as const),
  ]);
  const [formName, writeBody] = drawForm(draw, isForm, signer.isSlow && values.length > 1);
  const bodyAt = draw([values.length, values.length, 0, Math.floor(values.length / 2)] as const);
  const isMilliseconds = draw([true, false, false]);
  const place = drawPlace(draw, values);
  const hasWord = draw([false, true]) && !(signer.isSlow && values.length > 1);
  const version = hasWord ? /^v\d/.exec(place.prefix)?.[0] : undefined;

  const signedValues = ({ at, id, nonce, url }: Unsigned) => ({
    timestamp: String(isMilliseconds ? at : Math.floor(at / 1000)),
    id,
    nonce,
    url,
  });
  const parts = [...values.slice(0, bodyAt), 'body' as const, ...values.slice(bodyAt)];
  return {
    name: `${signer.name} of ${[...(version === undefined ? [] : [version]), ...parts.map((part) => (part === 'body' ? formName : part))].join(JSON.stringify(separator))} in ${place.name}`,
    secret: signer.secret,
    wrongSecret: signer.wrongSecret,
    covers: ['body', ...values],
    isForm,
    masked: false,
    sign: (request, change) => {
      const values = signedValues(request);
      const texts = parts.map((part) =>
        part === 'body' ? writeBody(request.body) : Buffer.from(values[part]),
      );
      const all = version === undefined ? texts : [Buffer.from(version), ...texts];
      const content = Buffer.concat(
        all.flatMap((text, index) => (index === 0 ? [text] : [Buffer.from(separator), text])),
      );
      return place.write(signer.sign(content), { ...values, ...changed(values, change) });
    },
  };
}

function changed(
  values: Record<Covered, string>,
  change: Change | undefined,
): Partial<Record<Covered, string>> {
  if (change === 'timestamp') return { timestamp: String(Number(values.timestamp) + 1) };
  if (change === 'id' || change === 'nonce') return { [change]: `${values[change]}x` };
  return {};
}

function drawValues(draw: Draw, count: number): Covered[] {
  const left = new Set<Covered>(['timestamp', 'id', 'nonce', 'url']);
  return Array.from({ length: count }, () => {
    const [first = 'url', ...rest] = left;
    const value = draw([first, ...rest]);
    left.delete(value);
    return value;
  });
}

function drawForm(draw: Draw, isForm: boolean, isSlow: boolean): readonly [string, (body: Buffer) => Buffer] {
  const asIs = ['body', (body: Buffer) => body] as const;
  const pairs = (body: Buffer) => [...new URLSearchParams(body.toString())].sort();
  if (isForm && draw([true, false]))
    return draw([
      ['form', (body: Buffer) => Buffer.from(pairs(body).flat().join(''))],
      [
        'form:query',
        (body: Buffer) =>
          Buffer.from(
            pairs(body)
              .map((pair) => pair.join('='))
              .join('&'),
          ),
      ],
    ] as const);
  const hash = isSlow ? 'sha256' : draw(['sha256', 'sha256', 'sha1', 'sha384', 'sha512']);
  const encoding = draw(['hex', 'base64', 'binary'] as const);
  const hashed = (body: Buffer) => Buffer.from(createHash(hash).update(body).digest(encoding), 'latin1');
  return draw([asIs, asIs, [`body:${hash}:${encoding}`, hashed]] as const);
}

/** Where the signature and the values are: headers of their own, a list of signatures, or all in one header. */
function drawPlace(draw: Draw, values: readonly Covered[]) {
  const family = draw(['X-Acme-', 'webhook-', 'acme-', 'X-']);
  const header = draw([`${family}Signature`, `${family}Signature`, `${family}Hmac`, 'Authorization']);
  const names = {
    timestamp: `${family}${draw(['Timestamp', 'Request-Timestamp', 'Time'])}`,
    id: `${family}${draw(['Id', 'Event-Id', 'Delivery-Id'])}`,
    nonce: `${family}${draw(['Nonce', 'Salt', 'Random'])}`,
  };
  const inHeaders = (texts: Record<Covered, string>, inside: readonly Covered[]) =>
    Object.fromEntries(
      (['timestamp', 'id', 'nonce'] as const)
        .filter((value) => values.includes(value) && !inside.includes(value))
        .map((value) => [names[value], texts[value]]),
    );
  const kind = draw(['single', 'single', 'list', 'composite'] as const);
  const prefix =
    kind === 'single'
      ? draw(['', '', 'sha256=', 'v1,', 'v1=', 'v0=', 'HMAC ', 'Signature:', 'hmac-sha256 signature='])
      : draw(['v1=', 'v0=', 's=', 'sig:']);
  const separator = draw([',', ', ', ';', '; ', ' ']);
  const decoy = draw([word(draw, 43), word(draw, 12)]);
  const inside = kind === 'composite' ? values.filter((value) => value !== 'url').slice(0, 1) : [];
  const keys = { timestamp: draw(['t=', 'ts:']), id: 'id=', nonce: 'n=', url: '' };
  return {
    name: `${header} as ${kind} ${JSON.stringify(prefix)}${kind === 'single' ? '' : ` with ${JSON.stringify(separator)}`}`,
    prefix,
    write: (signature: string, texts: Record<Covered, string>) => {
      const entry = prefix + signature;
      const entries =
        kind === 'single'
          ? [entry]
          : kind === 'list'
            ? [`${prefix}${decoy}`, entry]
            : [...inside.map((value) => keys[value] + texts[value]), entry, `v9=${decoy}`];
      return { ...inHeaders(texts, inside), [header]: entries.join(separator) };
    },
  };
}

function hmacSigner(draw: Draw) {
  const algorithm = draw(['sha256', 'sha256', 'sha1', 'sha384', 'sha512']);
  const encoding = draw(['hex', 'base64', 'base64url'] as const);
  const [name, spell] = draw<readonly [string, (key: Buffer) => string]>([
    ['text', (key: Buffer) => key.toString('hex').replaceAll('a', '!')],
    ['base64', (key: Buffer) => key.toString('base64')],
    ['hex', (key: Buffer) => key.toString('hex')],
    ['whsec_ and base64', (key: Buffer) => `whsec_${key.toString('base64')}`],
    ['sk_ and hex', (key: Buffer) => `sk_${key.toString('hex')}`],
    ['live_ and text, all of it', (key: Buffer) => `live_${key.toString('base64url')}`],
  ]);
  const isText = name.includes('text');
  const key = bytes(draw, 24);
  const secret = spell(key);
  return {
    name: `hmac-${algorithm} in ${encoding}, secret in ${name},`,
    secret,
    wrongSecret: spell(bytes(draw, 24)),
    isSlow: false,
    sign: (content: Buffer) =>
      createHmac(algorithm, isText ? secret : key)
        .update(content)
        .digest(encoding),
  };
}

function keySigner(draw: Draw) {
  const kind = draw<'ed25519' | 'rsa' | 'ec'>(['ed25519', 'rsa', 'rsa', 'ec']);
  const hash = kind === 'rsa' ? draw(['sha1', 'sha256', 'sha512']) : kind === 'ec' ? 'sha256' : null;
  const encoding = draw(['hex', 'base64', 'base64url'] as const);
  const spelling = draw(['pem', 'pem in one line', 'der', 'raw base64', 'raw hex'] as const);
  const [own, other] = keyPairs(kind);
  return {
    name: `${kind} ${hash ?? ''} in ${encoding}, key in ${spelling},`,
    secret: spellKey(own.publicKey, spelling),
    wrongSecret: spellKey(other.publicKey, spelling),
    isSlow: kind !== 'rsa',
    sign: (content: Buffer) => sign(hash, content, own.privateKey).toString(encoding),
  };
}
