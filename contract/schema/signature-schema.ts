import * as z from 'zod';

export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of an HTTP header')
  .describe('The name of an HTTP header. Letter case does not matter.');

const encoding = z.enum(['hex', 'base64', 'base64url']);
const toleranceSeconds = z
  .int()
  .positive()
  .describe('The replay window in seconds, before and after the current time.');

/** The place of a value: a header, or one entry of a header that is a list. */
const headerPart = {
  header: headerName,
  prefix: z
    .string()
    .default('')
    .describe('The text before the value, for example "t=". With a separator, it selects the entry.'),
  separator: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('The text between the entries of the header, or null.'),
};

const secret = z
  .strictObject({
    encoding: z.enum(['utf8', 'base64', 'hex']).describe('The encoding of the key.'),
    prefix: z
      .string()
      .default('')
      .describe('The prefix to remove before decoding. A secret without it is UTF-8 text.'),
  })
  .describe('How the text of the secret becomes the key.');

/** The fields of all schemes that sign a text made of the request. */
const signedText = {
  encoding: encoding.describe('The encoding of the signature.'),
  header: headerName.describe('The header that carries the signature or signatures.'),
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
      'The template of the signed content. It holds {body}, {body:sha256} (also sha1, sha384, sha512; optionally followed by :hex or :base64), {form} (form parameters sorted by name, each followed by its value) or {form:query} (the same as name=value&...). It may also hold {timestamp}, {id}, {url} and {header:<name>}.',
    ),
  id: z.strictObject(headerPart).nullable().default(null).describe('The place of the {id}, or null.'),
  timestamp: z
    .strictObject({
      ...headerPart,
      unit: z.enum(['seconds', 'milliseconds']).describe('The unit of the time since the epoch (1970).'),
      toleranceSeconds,
    })
    .nullable()
    .default(null)
    .describe('The place of the {timestamp} and the replay window, or null.'),
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
    .describe("A signature with the service's private key. The stored secret is the public key."),
  algorithm: z
    .enum(['ed25519', 'rsa-sha1', 'rsa-sha256', 'rsa-sha512', 'ecdsa-sha256'])
    .describe('The type of key, and the hash that it signs.'),
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
    .describe('The algorithm by its name in RFC 7518. A token with another one is rejected.'),
  header: headerName.describe('The header that carries the token.'),
  prefix: z.string().default('').describe('The text before the token, for example "Bearer ".'),
  secret: secret.default({ encoding: 'utf8', prefix: '' }),
  payloadHash: hashClaim.describe('The claim that holds the hash of the body.'),
  urlHash: hashClaim.nullable().default(null).describe('The claim that holds the hash of the URL, or null.'),
  id: z.strictObject({ claim }).nullable().default(null).describe('The claim with the id, or null.'),
  timestamp: z
    .strictObject({ claim, toleranceSeconds })
    .nullable()
    .default(null)
    .describe('The claim with the time when the token was made, and the replay window, or null.'),
});

const token = z.strictObject({
  scheme: z.literal('token').describe('The header carries the secret itself. Nothing is signed.'),
  header: headerName.describe('The header that carries the secret itself.'),
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
    'How the service proves that it sent a request. The "scheme" decides which other fields there are.',
  );

/** Lists ids and headers without a text between them and their neighbour on the side of the body. A sender may put anything into them. */
function touching(template: string): string[] {
  const parts = template.split(/\{([^}]*)\}/);
  const body = parts.findIndex((part, index) => index % 2 === 1 && coversBody.test(part));
  if (body < 0) return [];
  return parts.filter((name, index) => {
    const isChosenBySender = index % 2 === 1 && (name === 'id' || name.startsWith('header:'));
    return isChosenBySender && parts[index < body ? index + 1 : index - 1] === '';
  });
}
