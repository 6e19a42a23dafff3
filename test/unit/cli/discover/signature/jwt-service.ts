import { createHash, createHmac, sign } from 'node:crypto';
import { type Draw, word } from './draw.ts';
import { keyPairs, spellKey } from './key-pairs.ts';
import type { SigningStyle } from './signing-style.ts';

/** A service that sends a JSON Web Token with a hash of the body. */
export function jwtService(draw: Draw): SigningStyle {
  const algorithm = draw(['HS256', 'HS384', 'HS512', 'RS256', 'RS512', 'ES256', 'EdDSA']);
  const hash = draw(['sha256', 'sha384', 'sha512']);
  const encoding = draw(['hex', 'base64', 'base64url'] as const);
  const claim = draw(['payload_hash', 'body_sha256', 'sha']);
  const urlClaim = draw([undefined, undefined, 'url_hash']);
  const [header, prefix] = draw<readonly [string, string]>([
    ['Authorization', 'Bearer '],
    ['X-Jwt', ''],
    ['x-webhook-signature', ''],
  ]);
  const hasTime = draw([true, true, false]);
  const hasId = draw([true, false]);
  const { secret, wrongSecret, signText } = signerOf(algorithm, draw);
  const digest = (content: string | Buffer) => createHash(hash).update(content).digest(encoding);
  return {
    name: `jwt ${algorithm}, ${hash} in ${encoding} in ${claim}${urlClaim === undefined ? '' : ' and of the URL'}`,
    secret,
    wrongSecret,
    covers: urlClaim === undefined ? ['body', 'token'] : ['body', 'url', 'token'],
    isForm: false,
    masked: false,
    sign: ({ body, url, at, id }, change) => {
      const claims = {
        ...(hasTime ? { iat: Math.floor(at / 1000), exp: Math.floor(at / 1000) + 60 } : {}),
        ...(hasId ? { jti: id } : {}),
        iss: 'sender',
        ...(urlClaim === undefined ? {} : { [urlClaim]: digest(url) }),
        [claim]: digest(body),
      };
      const content = [{ alg: algorithm, typ: 'JWT' }, claims].map(encode).join('.');
      const signature = signText(content).toString('base64url');
      const told = change === 'token' ? [{ alg: algorithm }, claims].map(encode).join('.') : content;
      return { [header]: `${prefix}${told}.${signature}` };
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
