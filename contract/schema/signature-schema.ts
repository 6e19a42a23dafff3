import * as z from 'zod';
import { coverageOf } from './coverage.ts';
import { parseTemplate, touching } from './signed-template.ts';

export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of an HTTP header')
  .describe('The name of an HTTP header. Letter case does not matter.');

const encoding = z.enum(['hex', 'hex-upper', 'base64', 'base64url']);
const hashName = z.enum(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);
const toleranceSeconds = z
  .int()
  .positive()
  .max(
    604_800,
    'expected seconds, at most 604800 (7 days): in this time a request that someone copied is accepted again',
  )
  .describe('The replay window: how far the time may be before or after the current time.');

const otherAlgorithms = <T extends z.ZodType>(name: T) =>
  z
    .array(name)
    .exactOptional()
    .describe('Further algorithms that the service uses with keys of the same kind. They are accepted too.');

const header = headerName
  .exactOptional()
  .describe('The header that carries the signature or the token, in any letter case.');
const query = z
  .string()
  .min(1)
  .exactOptional()
  .describe('The parameter of the URL that has it instead of a header.');
const body = z
  .string()
  .min(1)
  .exactOptional()
  .describe('The form parameter, or the path in JSON, that has it instead of a header.');
const place = { header, query, body };
const prefix = z
  .string()
  .default('')
  .describe('The text before the signature or the token, such as "v1," or "Bearer ".');
const unsignedBody = z
  .literal(true)
  .exactOptional()
  .describe('Confirms that the body is not signed. "events.id" must then be "signed-id".');

interface Place {
  readonly header?: string | undefined;
  readonly query?: string | undefined;
  readonly body?: string | undefined;
}

const hasOnePlace = (value: Place) =>
  [value.header, value.query, value.body].filter((name) => name !== undefined).length === 1;
const onePlace = 'expected one of "header", "query" and "body": the place in the request';

/** The place of a value: a header, a parameter or a field, or one entry of a list there. */
const part = {
  ...place,
  prefix: z
    .string()
    .default('')
    .describe('The text before the value, such as "t=". With a separator, it selects the entry.'),
  separator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('The text between the entries of a list, or null.'),
};

const secret = z
  .strictObject({
    encoding: z.enum(['utf8', 'base64', 'hex']).describe('The encoding of the key.'),
    prefix: z
      .string()
      .default('')
      .describe(
        'The text that is removed from the secret before it is decoded. A secret without it is UTF-8 text.',
      ),
    prefixOptional: z
      .boolean()
      .exactOptional()
      .describe('Whether a secret without the prefix is decoded too.'),
  })
  .describe('How the text of the secret becomes the key.');

/** The fields of all schemes that sign a text made of the request. */
const signedText = {
  encoding: encoding.describe(
    'How the signature is written. Hexadecimal digits are accepted in either case; "hex-upper" writes samples in capitals.',
  ),
  ...place,
  prefix,
  separator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('The text between several signatures, or null. The first 8 with the prefix count.'),
  signedContent: z.string().describe('What is signed, with the placeholders of docs/reference/contract.md.'),
  unsignedBody,
  payloadHash: z
    .strictObject({
      ...place,
      prefix: z.string().default('').describe('The text before the hash.'),
      algorithm: hashName.describe('The hash function.'),
      encoding: encoding.describe('How the hash is written.'),
    })
    .refine(hasOnePlace, onePlace)
    .exactOptional()
    .describe('The place of a signed hash of the body.'),
  id: z
    .strictObject(part)
    .refine(hasOnePlace, onePlace)
    .nullable()
    .default(null)
    .describe('The place of {id} in requests, or null.'),
  timestamp: z
    .strictObject({
      ...part,
      unit: z
        .enum(['seconds', 'milliseconds', 'iso8601', 'http-date'])
        .describe('The unit of a number since 1970, or the format of a text.'),
      toleranceSeconds,
    })
    .refine(hasOnePlace, onePlace)
    .nullable()
    .default(null)
    .describe('The place of {timestamp} in requests, or null.'),
};

const hmac = z.strictObject({
  scheme: z.literal('hmac').describe('The signature is a keyed hash of the signed content.'),
  algorithm: hashName.describe('The hash function.'),
  otherAlgorithms: otherAlgorithms(hashName),
  ...signedText,
  secret,
});

const hash = z.strictObject({
  scheme: z
    .literal('hash')
    .describe('The signature is a hash of the signed content, which holds the {secret}.'),
  algorithm: hashName.describe('The hash function.'),
  ...signedText,
});

const publicKey = z.strictObject({
  scheme: z
    .literal('public-key')
    .describe("The signature is made with a private key. The stored secret is the service's public key."),
  algorithm: z
    .enum([
      'ed25519',
      'rsa-sha1',
      'rsa-sha256',
      'rsa-sha384',
      'rsa-sha512',
      'ecdsa-sha256',
      'ecdsa-sha384',
      'ecdsa-sha512',
    ])
    .describe('The kind of key, and the hash function.'),
  ...signedText,
});

const claim = z.string().min(1).describe('The name of the claim.');

const hashClaim = z.strictObject({
  claim,
  algorithm: z.enum(['sha256', 'sha384', 'sha512']).default('sha256').describe('The hash function.'),
  encoding: z.enum(['hex', 'base64', 'base64url']).default('hex').describe('How the hash is written.'),
});

const jwtAlgorithm = z.enum(['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'EdDSA']);

const jwt = z.strictObject({
  scheme: z.literal('jwt').describe('The request carries a JSON Web Token.'),
  algorithm: jwtAlgorithm.describe('The algorithm, by its name in RFC 7518.'),
  otherAlgorithms: otherAlgorithms(jwtAlgorithm),
  header: headerName.describe('The header that carries the signature or the token, in any letter case.'),
  prefix,
  secret: secret.default({ encoding: 'utf8', prefix: '' }),
  payloadHash: hashClaim
    .nullable()
    .describe('The claim with the hash of the body. Without a body it may be absent.'),
  unsignedBody,
  urlHash: hashClaim.nullable().default(null).describe('The claim with the hash of the URL, or null.'),
  issuer: z
    .string()
    .min(1)
    .nullable()
    .exactOptional()
    .describe('The claim "iss" of every token, or null. A token with another issuer is refused.'),
  id: z.strictObject({ claim }).nullable().default(null).describe('The claim with the id, or null.'),
  timestamp: z
    .strictObject({ claim, toleranceSeconds })
    .nullable()
    .default(null)
    .describe('The claim with the time of issue, or null.'),
});

const token = z.strictObject({
  scheme: z.literal('token').describe('The request carries the secret itself. Nothing is signed.'),
  ...place,
  prefix,
  encoding: z
    .enum(['text', 'base64'])
    .default('text')
    .describe('How the token is written. "base64" is for basic authentication: "user:password".'),
});

const none = z.strictObject({
  scheme: z.literal('none').describe('Any sender is accepted.'),
  anyoneMayPost: z.literal(true).describe('Confirms that any caller who knows the URL can write history.'),
});

/** How the service proves that a request is its own. */
export const signature = z
  .discriminatedUnion('scheme', [hmac, hash, publicKey, jwt, token, none])
  .superRefine((value, context) => {
    const problem = (message: string, path = 'signedContent') =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (value.scheme !== 'jwt' && value.scheme !== 'none' && !hasOnePlace(value)) problem(onePlace, 'header');
    if (value.scheme === 'jwt') {
      const keyKinds = [value.algorithm, ...(value.otherAlgorithms ?? [])].map((name) => name.slice(0, 2));
      if (new Set(keyKinds).size > 1)
        problem(
          'expected algorithms of the same kind of key as "algorithm", such as "HS512" with "HS256"',
          'otherAlgorithms',
        );
    }
    if (!('signedContent' in value)) return;
    const template = parseTemplate(value.signedContent);
    const { placeholders, names } = template;
    for (const [index, name] of names.entries()) {
      const placeholder = placeholders[index];
      const isKnown =
        placeholder !== undefined &&
        (placeholder.kind !== 'header' || headerName.safeParse(placeholder.name).success);
      if (!isKnown)
        problem(
          `expected {body}, {body:<hash>}, {form}, {timestamp}, {id}, {url}, {header:<name>} or another placeholder of docs/reference/contract.md, "What a signature covers", found {${name}}`,
        );
    }
    for (const name of touching(template))
      problem(
        `expected a text between {${name}} and its neighbour: bytes could move from one to the other${
          name === 'url' ? '. {url:base} needs no such text, if the URL of the webhook has no query' : ''
        }`,
      );
    const kinds = new Set(placeholders.map((placeholder) => placeholder?.kind));
    if (kinds.has('id') && value.id === null) problem('uses {id}, so expected "id" to name its place');
    if (kinds.has('timestamp') && value.timestamp === null)
      problem('uses {timestamp}, so expected "timestamp" to name its place');
    if (kinds.has('secret') !== (value.scheme === 'hash'))
      problem(
        value.scheme === 'hash'
          ? 'expected a template that holds {secret}: anyone could make a hash without it'
          : 'expected no {secret}: it is the key. "scheme": "hash" is a hash of a text that holds the secret',
      );
    if (value.payloadHash !== undefined && !coverageOf(value, 'POST').body)
      problem(
        'expected the place of the hash to be signed: {url}, {query} or {header:<name>}',
        'payloadHash',
      );
    if (value.body !== undefined && value.separator !== null)
      problem('expected null: a list in the body could be changed without its signature', 'separator');
  })
  .describe(
    'How the service proves that it sent a request. The "scheme" decides which other fields there are.',
  );
