import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { signature } from '../../contract/schema/signature-schema.ts';
import { parametersOf } from '../../contract/signature/request-reader.ts';
import { type SignedRequest, signedRequest } from '../../contract/signature/sign.ts';
import { readPresets } from '../generate/preset-lists.ts';
import { runScript } from '../support/run-script.ts';

// Signs requests by the presets, and asks the libraries of the services whether the signatures are right. The libraries are installed in
// build/ for this run alone, without their scripts: a dependency of the project would bring a hundred packages with it.
const versions = { plivo: '4.79.0', '@vonage/sms': '1.21.0', telnyx: '7.24.0', twilio: '6.2.0' };
const folder = resolve(import.meta.dirname, '../../build/preset-libraries');
const url = 'https://hooks.example.com/webhooks/sms';
const now = Date.now();
const nonce = '05429567804466091622';
const secret = 'a secret of this run';
const form = Buffer.from('From=12025550143&To=12025550100&Text=a%26b%3Dc+%C3%A9&MessageUUID=m-1&Empty=');
const json = Buffer.from('{"id": "m-1", "text": "é", "n": 1.50}');

/** Asks a library whether a request is genuine. */
type Ask = (request: SignedRequest, secret: string) => boolean | Promise<boolean>;

interface Comparison {
  readonly preset: string;
  readonly ask: Ask;
  readonly body: Buffer;
  /** What differs from the preset's signature. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

function comparisons(load: ReturnType<typeof createRequire>): readonly Comparison[] {
  const plivo = load('plivo');
  const twilio = load('twilio');
  const { AlgorithmTypes } = load('@vonage/auth');
  const sms = new (load('@vonage/sms').SMS)({ apiKey: 'key', apiSecret: 'secret' });
  const { verifySignature } = load('@vonage/jwt');
  const telnyx = new (load('telnyx').Telnyx)({ apiKey: 'key' });
  const paramsOf = ({ body }: SignedRequest) =>
    Object.fromEntries(parametersOf(Buffer.from(body).toString()).map(({ name, value }) => [name, value]));
  const vonage = (algorithm: string): Ask => {
    return (request, key) => {
      const { sig = '', ...params } = paramsOf(request);
      return sms.verifySignature(sig, params, key, algorithm);
    };
  };
  const hmac = (algorithm: string) => ({
    ...{ scheme: 'hmac', algorithm, secret: { encoding: 'utf8' } },
    signedContent: '&{form:underscored:name=value&}',
  });
  return [
    {
      preset: 'plivo-v3',
      body: form,
      ask: (request, key) =>
        plivo.validateV3Signature(
          ...['POST', url, nonce, key, request.headers['x-plivo-signature-v3'], paramsOf(request)],
        ),
    },
    {
      preset: 'plivo-v2',
      body: form,
      ask: ({ headers }, key) => plivo.validateSignature(url, nonce, headers['x-plivo-signature-v2'], key),
    },
    { preset: 'vonage-sms', body: form, ask: vonage(AlgorithmTypes.md5hash) },
    ...(['md5', 'sha1', 'sha256', 'sha512'] as const).map((name) => ({
      ...{ preset: 'vonage-sms', body: form, changes: hmac(name) },
      ask: vonage(AlgorithmTypes[`${name}hmac`]),
    })),
    {
      preset: 'vonage-messages',
      body: json,
      ask: ({ headers }, key) => verifySignature(headers.authorization?.slice('Bearer '.length), key),
    },
    {
      preset: 'telnyx',
      body: json,
      ask: ({ headers, body }, key) =>
        telnyx.webhooks.unwrap(Buffer.from(body).toString(), { headers, key }).then(
          () => true,
          () => false,
        ),
    },
    {
      preset: 'twilio',
      body: form,
      ask: (request, key) =>
        twilio.validateRequest(key, request.headers['x-twilio-signature'], url, paramsOf(request)),
    },
  ];
}

/** A secret that signs, and the one that the library verifies with. */
function keysOf(scheme: string): { readonly signing: string; readonly verifying: string } {
  if (scheme !== 'public-key') return { signing: secret, verifying: secret };
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  // The service shows the 32 bytes of the key, which are the last of its DER form.
  const verifying = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  return { signing: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), verifying };
}

function install(): ReturnType<typeof createRequire> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, ...packages], { cwd: folder, stdio: 'inherit' });
  return createRequire(join(folder, 'package.json'));
}

await runScript(async () => {
  const presets = new Map(readPresets().map((preset) => [preset.name, preset.signature]));
  let wrong = 0;
  for (const { preset, ask, body, changes = {} } of comparisons(install())) {
    const scheme = signature.parse({ ...presets.get(preset), ...changes });
    const { signing, verifying } = keysOf(scheme.scheme);
    const headers = { 'x-plivo-signature-v3-nonce': nonce };
    const request = signedRequest(scheme, { body, id: nonce, now, url, headers }, signing);
    const other = keysOf(scheme.scheme).verifying;
    const accepts = await ask(request, verifying);
    const refuses = !(await ask(request, other === verifying ? 'another secret' : other));
    const name = 'algorithm' in scheme ? `${preset}, ${scheme.scheme} ${scheme.algorithm}` : preset;
    console.log(`${accepts && refuses ? 'ok    ' : 'WRONG '} ${name}: ${accepts ? 'accepted' : 'rejected'}`);
    if (!accepts || !refuses) wrong += 1;
  }
  return wrong === 0 ? 0 : 1;
});
