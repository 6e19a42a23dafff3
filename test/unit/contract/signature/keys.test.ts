import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { isAsymmetricKey } from '../../../../contract/signature/keys.ts';

const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { publicKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { publicKey: ed } = generateKeyPairSync('ed25519');
const pem = rsa.export({ type: 'spki', format: 'pem' }).toString();
const jwk = JSON.stringify(rsa.export({ format: 'jwk' }));

it.each([
  ['PEM', pem],
  ['PEM behind a byte-order mark', `\ufeff${pem}`],
  ['PEM in base64', Buffer.from(pem).toString('base64')],
  ['PKCS#1 in PEM', rsa.export({ type: 'pkcs1', format: 'pem' }).toString()],
  ['PKCS#1 in base64 of DER', rsa.export({ type: 'pkcs1', format: 'der' }).toString('base64')],
  ['base64 of DER', ec.export({ type: 'spki', format: 'der' }).toString('base64')],
  ['base64url of DER', rsa.export({ type: 'spki', format: 'der' }).toString('base64url')],
  ['hexadecimal of DER', ed.export({ type: 'spki', format: 'der' }).toString('hex')],
  ['a JWK', jwk],
  ['an escaped JWK', JSON.stringify(jwk)],
  ['a JWK with single quotes', jwk.replaceAll('"', "'")],
  ['a set of JWKs in base64', Buffer.from(`{"keys":[${jwk}]}`).toString('base64')],
  ['a key of SSH', 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t'],
  ['a key of SSH (RFC 4716)', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1yc2E'],
])('a public key is no shared secret: %s', (_, text) => {
  expect(isAsymmetricKey(text)).toBe(true);
});

it.each(['whsec_bmV3', 'MEgwCw==', '0'.repeat(64), '30'.repeat(20), 'a secret', ''])(
  'a shared secret is one: %s',
  (text) => {
    expect(isAsymmetricKey(text)).toBe(false);
  },
);
