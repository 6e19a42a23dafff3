import { z } from 'zod';

export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of an HTTP header')
  .describe('Name of an HTTP header; case does not matter.');

const encoding = z.enum(['hex', 'base64', 'base64url']);
const toleranceSeconds = z.int().positive().describe('The replay window, to either side of now.');

/** A header, or one entry of a header that is a list. */
const headerPart = {
  header: headerName,
  prefix: z
    .string()
    .default('')
    .describe('Before the value; with a separator, what the entry begins with, for example "t=".'),
  separator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('Between the entries of the header, or null.'),
};

const secret = z
  .strictObject({
    encoding: z.enum(['utf8', 'base64', 'hex']).describe('How the key is written.'),
    prefix: z
      .string()
      .default('')
      .describe('Removed before decoding. A secret without it is taken as UTF-8 text.'),
  })
  .describe('How the text of the secret becomes the key.');

/** What schemes have in common that sign a text made of the request. */
const signedText = {
  encoding: encoding.describe('How the bytes of a signature are written.'),
  header: headerName.describe('Header that carries the signature or signatures.'),
  prefix: z.string().default('').describe('Before each signature, for example "v1," or "sha256=".'),
  separator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('Between several signatures, of which the first 8 are verified, or null.'),
  signedContent: z
    .string()
    .describe(
      'What is signed. {body}, or {body:sha256} (also sha1, sha384, sha512; with :hex or :base64 behind it), or {form} (form parameters sorted by name, each followed by its value) or {form:query} (the same as name=value&...); besides {timestamp}, {id}, {url} and {header:<name>}.',
    ),
  id: z.strictObject(headerPart).nullable().default(null).describe('Where the {id} is, or null.'),
  timestamp: z
    .strictObject({
      ...headerPart,
      unit: z.enum(['seconds', 'milliseconds']).describe('Since the epoch (1970).'),
      toleranceSeconds,
    })
    .nullable()
    .default(null)
    .describe('Where the {timestamp} is, and how old it may be, or null.'),
};

const hmac = z.strictObject({
  scheme: z.literal('hmac').describe('A keyed hash of the signed content.'),
  algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512']).describe('The hash of the HMAC.'),
  ...signedText,
  secret,
});

const publicKey = z.strictObject({
  scheme: z
    .literal('public-key')
    .describe("A signature with the service's private key; what is stored as the secret is its public key."),
  algorithm: z
    .enum(['ed25519', 'rsa-sha1', 'rsa-sha256', 'rsa-sha512', 'ecdsa-sha256'])
    .describe('The kind of key, and the hash it signs.'),
  ...signedText,
});

const claim = z.string().min(1).describe('The name of the claim.');

const hashClaim = z.strictObject({
  claim,
  algorithm: z.enum(['sha256', 'sha384', 'sha512']).default('sha256').describe('The hash.'),
  encoding: encoding.default('hex').describe('How the hash is written.'),
});

const jwt = z.strictObject({
  scheme: z.literal('jwt').describe('A signed JSON Web Token that holds a hash of the body.'),
  algorithm: z
    .enum(['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'EdDSA'])
    .describe('As RFC 7518 names it; a token that says another is refused.'),
  header: headerName.describe('Header that carries the token.'),
  prefix: z.string().default('').describe('Before the token, for example "Bearer ".'),
  secret: secret.default({ encoding: 'utf8', prefix: '' }),
  payloadHash: hashClaim.describe('The claim that holds the hash of the body.'),
  urlHash: hashClaim.nullable().default(null).describe('The claim that holds the hash of the URL, or null.'),
  id: z.strictObject({ claim }).nullable().default(null).describe('The claim with the id, or null.'),
  timestamp: z
    .strictObject({ claim, toleranceSeconds })
    .nullable()
    .default(null)
    .describe('The claim with the time the token was made, and how old it may be, or null.'),
});

const token = z.strictObject({
  scheme: z.literal('token').describe('The header carries the secret itself; nothing is signed.'),
  header: headerName.describe('Header that carries the secret itself.'),
  prefix: z.string().default('').describe('Before the secret, for example "Basic ".'),
  encoding: z
    .enum(['text', 'base64'])
    .default('text')
    .describe(
      'How the secret is written: as it is, or in base64 (basic authentication, the secret being "user:password").',
    ),
});

const none = z.strictObject({
  scheme: z.literal('none').describe('Nothing proves where a request comes from.'),
  anyoneMayPost: z.literal(true).describe('Says that you know: whoever finds the URL can write history.'),
});

const coversBody = /^(?:body(?::sha(?:1|256|384|512)(?::(?:hex|base64))?)?|form(?::query)?)$/;

/** How the service proves that a request is its own. */
export const signature = z
  .discriminatedUnion('scheme', [hmac, publicKey, jwt, token, none])
  .superRefine((value, context) => {
    if (value.scheme !== 'hmac' && value.scheme !== 'public-key') return;
    const placeholders = [...value.signedContent.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
    const problem = (message: string) =>
      context.addIssue({ code: 'custom', path: ['signedContent'], message });
    if (!placeholders.some((name) => coversBody.test(name)))
      problem('expected a template that holds {body}, {body:sha256} or {form}');
    for (const name of placeholders) {
      if (
        name.startsWith('header:')
          ? headerName.safeParse(name.slice(7)).success
          : coversBody.test(name) || ['timestamp', 'id', 'url'].includes(name)
      )
        continue;
      problem(
        `expected {body}, {body:<hash>}, {form}, {timestamp}, {id}, {url} or {header:<name>}, found {${name}}`,
      );
    }
    for (const name of touching(value.signedContent))
      problem(`expected a text between {${name}} and its neighbour: bytes could move from one to the other`);
    if (placeholders.includes('id') && value.id === null)
      problem('uses {id}, so expected "id" to name its header');
    if (placeholders.includes('timestamp') && value.timestamp === null)
      problem('uses {timestamp}, so expected "timestamp" to name its header');
    if (value.timestamp !== null && !placeholders.includes('timestamp'))
      problem('expected {timestamp}: a timestamp that is not signed proves nothing');
  })
  .describe(
    'How the service proves that a request is its own; "scheme" says which of the other fields there are.',
  );

/** Ids and headers, which may hold anything, with no text between them and what is next to them on the side of the body. */
function touching(template: string): string[] {
  const parts = template.split(/\{([^}]*)\}/);
  const body = parts.findIndex((part, index) => index % 2 === 1 && coversBody.test(part));
  if (body < 0) return [];
  return parts.filter((name, index) => {
    const isFree = index % 2 === 1 && (name === 'id' || name.startsWith('header:'));
    return isFree && parts[index < body ? index + 1 : index - 1] === '';
  });
}
