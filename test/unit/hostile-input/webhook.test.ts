import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { bodyOfSample } from '../../../contract/document/parse.ts';
import { requestForm, requestForms } from '../../../contract/schema/request-form.ts';
import { isSharedSecret } from '../../../contract/signature/keys.ts';
import { signedRequest } from '../../../contract/signature/sign.ts';
import { contractPipeline, webhookUrl } from '../../support/contract-pipeline.ts';
import { presetContract, presetContracts } from '../../support/preset-contracts.ts';
import { fuzz } from './fuzz.ts';
import {
  changedJson,
  hostileBodies,
  hostileBytes,
  hostileHeaders,
  hostileQueries,
  hostileSegments,
  jsonChanges,
} from './hostile-requests.ts';
import { hostileJson, hostileTexts, privateText } from './hostile-values.ts';
import { assertShowsNoInsides } from './watch.ts';

const now = Date.UTC(2026, 0, 15, 12, 0, 5);
const ownSecret = 'c2VjcmV0LW9mLXRoZS1mdXp6ZXItb2YtdGVzdHM=';
const keys = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** A request to the webhook of a preset, as plain data. */
interface WebhookAttempt {
  readonly preset: string;
  /** Which of its samples, modulo their number. */
  readonly sample: number;
  /** Of the sample's body, if that is JSON or a form. */
  readonly changes: Parameters<typeof changedJson>[1];
  /** Base64, in place of the sample's body; null: that of the sample. */
  readonly body: string | null;
  readonly isSigned: boolean;
  /** Of a header of the signature, after it was signed. */
  readonly afterwards: { readonly header: number; readonly text: string; readonly appends: boolean } | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly path: string | null;
  readonly method: string | null;
  readonly isBase64: boolean;
  readonly parks: boolean;
  readonly captures: boolean;
}

const attempts: fc.Arbitrary<WebhookAttempt> = fc.record({
  preset: fc.constantFrom(...presetContracts.map(({ name }) => name.replace(/\.json$/, ''))),
  sample: fc.nat(20),
  changes: jsonChanges(
    fc.oneof(
      hostileJson,
      hostileTexts.map((text) => JSON.stringify(text)),
    ),
  ),
  body: fc.option(fc.oneof({ weight: 3, arbitrary: hostileBodies }, hostileBytes), { freq: 3 }),
  isSigned: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  afterwards: fc.option(fc.record({ header: fc.nat(5), text: hostileTexts, appends: fc.boolean() }), {
    freq: 3,
  }),
  headers: hostileHeaders,
  query: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, hostileQueries),
  path: fc.option(
    fc.array(hostileSegments, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    { freq: 4 },
  ),
  method: fc.option(fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'post', ''), { freq: 5 }),
  isBase64: fc.boolean(),
  parks: fc.boolean(),
  captures: fc.boolean(),
});

function bodyOf(attempt: WebhookAttempt): Uint8Array {
  if (attempt.body !== null) return Buffer.from(attempt.body, 'base64');
  const { samples, webhook } = contractOf(attempt);
  const sample = samples[attempt.sample % samples.length];
  if (sample === undefined) return Buffer.of();
  const form = requestForm(webhook, sample.method);
  if (sample.bodyText !== undefined || attempt.changes.length === 0) return bodyOfSample(sample, form);
  const body = changedJson(sample.body, attempt.changes);
  if (form.bodyFormat === 'json') return Buffer.from(JSON.stringify(body) ?? '');
  const fields = Object.entries(Object(body)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  ]);
  return Buffer.from(new URLSearchParams(fields).toString());
}

const contractOf = ({ preset }: WebhookAttempt) => presetContract(preset);

/** The request of an attempt, signed as the service signs it. A body that cannot carry the signature is sent without one. */
function requestOf(attempt: WebhookAttempt, secret: string) {
  const { webhook } = contractOf(attempt);
  const forms = requestForms(webhook);
  const form = forms[attempt.sample % forms.length] ?? forms[0];
  const { method, signature } = form;
  const body = bodyOf(attempt);
  const url = attempt.query === '' ? webhookUrl : `${webhookUrl}?${attempt.query}`;
  const unsigned = { headers: {}, url, body };
  if (!attempt.isSigned) return { method, ...unsigned };
  try {
    const draft = { body, id: `evt-${attempt.sample}`, now, url, headers: attempt.headers };
    return { method, ...signedRequest(signature, draft, secret, form) };
  } catch {
    return { method, ...unsigned };
  }
}

fuzz<WebhookAttempt>(
  'webhook',
  {
    inputs: attempts,
    async attempt(attempt) {
      const { webhook } = contractOf(attempt);
      const isShared = isSharedSecret(webhook.signature);
      const { parks, captures } = attempt;
      const settings = { secret: isShared ? ownSecret : keys.publicKey, now, parks, captures };
      const pipeline = contractPipeline(contractOf(attempt), settings);
      const { method, headers, url, body } = requestOf(attempt, isShared ? ownSecret : keys.privateKey);
      const signed: Record<string, string> = Object.fromEntries(
        Object.entries<string>(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const names = Object.keys(signed);
      const { afterwards } = attempt;
      const changed = afterwards === null ? undefined : names[afterwards.header % Math.max(1, names.length)];
      if (afterwards !== null && changed !== undefined)
        signed[changed] = (afterwards.appends ? signed[changed] : '') + afterwards.text;

      const [, query = ''] = /\?(.*)$/s.exec(url) ?? [];
      const { statusCode = 0, body: text = '' } = await pipeline.post({
        method: attempt.method ?? method,
        headers: { ...attempt.headers, ...signed },
        rawQueryString: query,
        isBase64Encoded: attempt.isBase64,
        body: Buffer.from(body).toString(attempt.isBase64 ? 'base64' : 'utf8'),
        ...(attempt.path !== null && { path: attempt.path }),
      });
      const { acknowledge, probe } = webhook;
      const log = JSON.stringify(pipeline.lines);
      assert(
        [acknowledge.status, probe?.status, 401, 405, 413].includes(statusCode),
        `${statusCode}: ${log}`,
      );
      for (const [where, shown] of [
        ['the answer', text],
        ['the log', log],
      ] as const) {
        assertShowsNoInsides(where, shown);
        assert(!shown.includes(ownSecret), `${where} holds the secret`);
        assert(!shown.includes(privateText), `${where} holds a text of the request`);
      }
      const queued = pipeline.queued();
      // The worker judges parked requests once the service has confirmed the secret.
      pipeline.storeSecret(settings.secret);
      await pipeline.deliver();
      const kept = pipeline.quarantined
        .map(({ raw, ...entry }) => JSON.stringify(entry) + Buffer.from(raw).toString())
        .join('\n');
      assert(!kept.includes(ownSecret), 'the quarantine holds the secret');
      if (queued.length === 0) return String(statusCode);
      const lost = JSON.stringify(pipeline.lines);
      assertShowsNoInsides('the log of the worker', lost);
      return kept === '' ? 'stored' : 'quarantined';
    },
  },
  ['stored', 'quarantined', '401', '405'],
);
