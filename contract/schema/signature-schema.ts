import * as z from 'zod';
import { coverageOf, isSigned } from './coverage.ts';
import { bodyIndex, parseTemplate } from './signed-template.ts';

export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of an HTTP header')
  .describe('The name of an HTTP header. Letter case does not matter.');

const encoding = z.enum(['hex', 'hex-upper', 'base64', 'base64url']);
const hashName = z.enum(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);
const toleranceSeconds = z
  .int()
  .positive()
  .describe('The replay window in seconds, before and after the current time.');

const header = headerName
  .exactOptional()
  .describe(
    'The header that carries it. Letter case does not matter. One of "header", "query" and "body" is required.',
  );
const query = z
  .string()
  .min(1)
  .exactOptional()
  .describe('Instead of a header: the parameter in the query of the URL that carries it.');
const body = z
  .string()
  .min(1)
  .exactOptional()
  .describe(
    'Instead of a header: the form parameter, or the path in a JSON body ("signature.token"), that carries it.',
  );
const place = { header, query, body };

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
    .describe('The text before the value, for example "t=". With a separator, it selects the entry.'),
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
      .describe('The prefix to remove before decoding. A secret without it is UTF-8 text.'),
    prefixOptional: z
      .boolean()
      .exactOptional()
      .describe(
        'Whether a secret without the prefix is decoded as well, where it is written in the encoding.',
      ),
  })
  .describe('How the text of the secret becomes the key.');

/** The fields of all schemes that sign a text made of the request. */
const signedText = {
  encoding: encoding.describe(
    'The encoding of the signature. "hex" has small letters, "hex-upper" capitals.',
  ),
  ...place,
  prefix: z.string().default('').describe('The text before each signature, for example "v1," or "sha256=".'),
  separator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('The text between several signatures, or null. The first 8 are verified.'),
  signedContent: z
    .string()
    .describe(
      'The template of the signed content: texts, and the placeholders that docs/reference/contract.md lists.',
    ),
  unsignedBody: z
    .literal(true)
    .exactOptional()
    .describe(
      'Confirms that the service signs no part of the body. A sender that has seen one request can then send another body with its signature, so "events.id" must be "signed-id".',
    ),
  payloadHash: z
    .strictObject({
      ...place,
      prefix: z.string().default('').describe('The text before the hash.'),
      algorithm: hashName.describe('The hash.'),
      encoding: encoding.describe('How the hash is written.'),
    })
    .refine(hasOnePlace, onePlace)
    .exactOptional()
    .describe('The place of a hash of the body, where the signature covers this hash instead of the body.'),
  id: z
    .strictObject(part)
    .refine(hasOnePlace, onePlace)
    .nullable()
    .default(null)
    .describe('The place of the {id}, or null.'),
  timestamp: z
    .strictObject({
      ...part,
      unit: z
        .enum(['seconds', 'milliseconds', 'iso8601', 'http-date'])
        .describe('The unit of the time since the epoch (1970), or the format of a date.'),
      toleranceSeconds,
    })
    .refine(hasOnePlace, onePlace)
    .nullable()
    .default(null)
    .describe('The place of the {timestamp} and the replay window, or null.'),
};

const hmac = z.strictObject({
  scheme: z.literal('hmac').describe('A keyed hash of the signed content.'),
  algorithm: hashName.describe('The hash of the HMAC.'),
  ...signedText,
  secret,
});

const hash = z.strictObject({
  scheme: z.literal('hash').describe('A plain hash of the signed content, which holds the {secret}.'),
  algorithm: hashName.describe('The hash.'),
  ...signedText,
});

const publicKey = z.strictObject({
  scheme: z
    .literal('public-key')
    .describe("A signature with the service's private key. The stored secret is the public key."),
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
    .describe('The type of key, and the hash that it signs.'),
  ...signedText,
});

const claim = z.string().min(1).describe('The name of the claim.');

const hashClaim = z.strictObject({
  claim,
  algorithm: z.enum(['sha256', 'sha384', 'sha512']).default('sha256').describe('The hash.'),
  encoding: z.enum(['hex', 'base64', 'base64url']).default('hex').describe('How the hash is written.'),
});

const jwt = z.strictObject({
  scheme: z.literal('jwt').describe('A signed JSON Web Token that holds a hash of the body.'),
  algorithm: z
    .enum(['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'EdDSA'])
    .describe('The algorithm by its name in RFC 7518. A token with another one is rejected.'),
  header: headerName.describe('The header that carries the token.'),
  prefix: z.string().default('').describe('The text before the token, for example "Bearer ".'),
  secret: secret.default({ encoding: 'utf8', prefix: '' }),
  payloadHash: hashClaim
    .nullable()
    .describe(
      'The claim that holds the hash of the body, which may be absent from the token of a request without a body. null needs "unsignedBody".',
    ),
  unsignedBody: z
    .literal(true)
    .exactOptional()
    .describe('Confirms that the token holds no hash of the body. "events.id" must then be "signed-id".'),
  urlHash: hashClaim.nullable().default(null).describe('The claim that holds the hash of the URL, or null.'),
  id: z.strictObject({ claim }).nullable().default(null).describe('The claim with the id, or null.'),
  timestamp: z
    .strictObject({ claim, toleranceSeconds })
    .nullable()
    .default(null)
    .describe('The claim with the time when the token was made, and the replay window, or null.'),
});

const token = z.strictObject({
  scheme: z.literal('token').describe('The request carries the secret itself. Nothing is signed.'),
  ...place,
  prefix: z.string().default('').describe('The text before the secret, for example "Basic ".'),
  encoding: z
    .enum(['text', 'base64'])
    .default('text')
    .describe(
      'The encoding of the secret: plain text, or base64 for basic authentication with a secret "user:password".',
    ),
});

const none = z.strictObject({
  scheme: z.literal('none').describe('Requests are not signed, so any sender is accepted.'),
  anyoneMayPost: z.literal(true).describe('Confirms that any caller who knows the URL can write history.'),
});

/** How the service proves that a request is its own. */
export const signature = z
  .discriminatedUnion('scheme', [hmac, hash, publicKey, jwt, token, none])
  .superRefine((value, context) => {
    const problem = (message: string, path = 'signedContent') =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (value.scheme !== 'jwt' && value.scheme !== 'none' && !hasOnePlace(value)) problem(onePlace, 'header');
    if (!('signedContent' in value)) return;
    const { placeholders, names, texts } = parseTemplate(value.signedContent);
    for (const [index, name] of names.entries()) {
      const placeholder = placeholders[index];
      const isKnown =
        placeholder !== undefined &&
        (placeholder.kind !== 'header' || headerName.safeParse(placeholder.name).success);
      if (!isKnown)
        problem(
          `expected {body}, {body:<hash>}, {form}, {timestamp}, {id}, {url}, {header:<name>} or another placeholder that docs/reference/contract.md lists, found {${name}}`,
        );
    }
    for (const name of touching(texts, placeholders, names))
      problem(`expected a text between {${name}} and its neighbour: bytes could move from one to the other`);
    const kinds = new Set(placeholders.map((placeholder) => placeholder?.kind));
    if (kinds.has('id') && value.id === null) problem('uses {id}, so expected "id" to name its place');
    if (kinds.has('timestamp') && value.timestamp === null)
      problem('uses {timestamp}, so expected "timestamp" to name its place');
    if (value.timestamp !== null && !isSigned(value, 'timestamp') && !isSigned(value, 'timestamp', 'GET'))
      problem('expected {timestamp}: a timestamp that is not signed proves nothing');
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

/** Lists ids and headers without a text between them and their neighbour on the side of the body. A sender may put anything into them. */
function touching(
  texts: readonly string[],
  placeholders: ReturnType<typeof parseTemplate>['placeholders'],
  names: readonly string[],
): string[] {
  const body = bodyIndex(placeholders);
  if (body < 0) return [];
  return names.filter((_, index) => {
    const { kind = '' } = placeholders[index] ?? {};
    const isChosenBySender = ['id', 'header', 'field', 'parameter'].includes(kind);
    return isChosenBySender && texts[index < body ? index + 1 : index] === '';
  });
}
