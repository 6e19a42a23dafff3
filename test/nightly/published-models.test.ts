import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import { signedRequest } from '../../contract/signature/sign.ts';
import { createVerifier } from '../../contract/signature/verify.ts';
import { allFacts } from '../../tools/published/all-facts.ts';
import type { Source } from '../../tools/published/published-facts.ts';
import { presetContract } from '../support/preset-contracts.ts';

/*
 * The libraries for Python that providers publish, against the tables of facts and against our signatures. They are large, so they run at night
 * alone. To compare a newer version, change its version in tools/published/providers and run this test.
 */

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, '.local/published-python');
const python = join(folder, 'bin/python3');

const sources: readonly Source[] = allFacts.flatMap(
  ({ signature = [], fields, words, registration = [] }) => [
    ...signature,
    ...registration,
    ...fields.map(({ source }) => source),
    ...words.map(({ source }) => source),
  ],
);
const packages = new Set(
  sources.flatMap(({ name, from, version }) => (from === 'PyPI' ? [`${name}==${version}`] : [])),
);

interface Model {
  readonly fields: readonly string[];
  readonly words: Readonly<Record<string, readonly string[]>>;
}

const withModels = allFacts.flatMap(({ presets: [preset], fields }) =>
  fields.flatMap(({ models, ...published }) =>
    models === undefined ? [] : [{ preset, ...published, models }],
  ),
);
const enumerations = allFacts.flatMap(({ presets: [preset], words: published }) =>
  published.flatMap(({ of, model, words, leftOut = {} }) =>
    model === undefined ? [] : [{ preset, of, model, all: [...words, ...Object.values(leftOut).flat()] }],
  ),
);

let known: Readonly<Record<string, Model>>;

beforeAll(() => {
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  execFileSync(python, ['-m', 'pip', 'install', ...quiet, ...packages], { stdio: 'inherit' });
  const script = join(root, 'tools/published/read-models.py');
  const names = [
    ...withModels.flatMap(({ models }) => models),
    ...enumerations.map(({ model: [name] }) => name),
  ];
  const models = [...new Set(names)];
  known = JSON.parse(execFileSync(python, ['-W', 'ignore', script, ...models], { encoding: 'utf8' }));
});

/** Names that the libraries add for themselves, and that are in no body. */
const isOfLibrary = (path: string) => /additional_properties|_validator\b|one_of_schemas/.test(path);
/** The library wraps a choice of models. */
const asInBody = (path: string) => path.replace('content.actual_instance', 'content');

it.each(withModels)(
  '$preset: the models of a $of have the fields of the table',
  ({ models, at, read, leftOut }) => {
    const paths = models.flatMap((model) => known[model]?.fields ?? []);
    const fields = new Set(paths.filter((path) => !isOfLibrary(path)).map(asInBody));
    const { 'around the events': around = [], ...others } = leftOut;
    const ofEvents = [...Object.values(read), ...Object.values(others)]
      .flat()
      .map((path) => (at === undefined ? path : `${at}.${path}`));
    expect([...fields].toSorted()).toEqual([...ofEvents, ...around].toSorted());
  },
);

it.each(enumerations)('$preset: the enumeration of $of has the words of the table', ({ model, all }) => {
  const [name, path] = model;
  expect(known[name]?.words[path]?.toSorted()).toEqual(all.toSorted());
});

describe('vonage-sms', () => {
  const contract = presetContract('vonage-sms');
  const secret = 'a shared secret';
  const now = Date.UTC(2026, 0, 15, 12);
  const url = 'https://sms.example.com/webhooks/sms';
  /** The library signs with a keyed hash. docs/providers/vonage.md says what to write for each. */
  const schemeOf = (algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512') =>
    ({
      ...contract.webhook.signature,
      scheme: 'hmac',
      algorithm,
      signedContent: '&{form:underscored:name=value&}',
      secret: { encoding: 'utf8', prefix: '' },
    }) as SignatureContract;

  /** Lets the library sign parameters, or check their signature. */
  function ask(
    command: 'sign' | 'check',
    method: string,
    parameters: Readonly<Record<string, string>>,
  ): string {
    const script = [
      'import json, sys',
      'from vonage_http_client.auth import Auth',
      'command, method, secret, parameters = json.loads(sys.argv[1])',
      'auth = Auth(api_key="key", signature_secret=secret, signature_method=method)',
      'print(auth.sign_params(parameters) if command == "sign" else auth.check_signature(parameters))',
    ].join('\n');
    const input = JSON.stringify([command, method, secret, parameters]);
    return execFileSync(python, ['-c', script, input], { encoding: 'utf8' }).trim();
  }

  const postedForm = { method: 'POST', bodyFormat: 'form' } as const;
  it.each(['md5', 'sha1', 'sha256', 'sha512'] as const)(
    'the library and the pipeline accept what the other signs with %s',
    (algorithm) => {
      const scheme = schemeOf(algorithm);
      const difficult = {
        text: 'Grüße + a=b&c=d 👋🏽',
        msisdn: '12025550143',
        empty: '',
        A: 'capital',
        b: '%2B',
      };
      const body = String(new URLSearchParams(difficult));
      const ours = signedRequest(
        scheme,
        { body: Buffer.from(body), id: 'm-1', now, url },
        secret,
        postedForm,
      );
      const written = Object.fromEntries(new URLSearchParams(Buffer.from(ours.body).toString()));
      expect(ask('check', algorithm, written)).toBe('True');
      expect(ask('check', algorithm, { ...written, text: 'another' })).toBe('False');

      const parameters = { ...difficult, timestamp: String(now / 1000) };
      const sig = ask('sign', algorithm, parameters);
      for (const signature of [sig, sig.toUpperCase()]) {
        const signed = Buffer.from(String(new URLSearchParams({ ...parameters, sig: signature })));
        const verdict = createVerifier(scheme, postedForm)({ headers: {}, url, body: signed }, [secret], now);
        expect(verdict.kind).toBe('verified');
      }
    },
  );
});

it('telnyx: a messaging profile has the fields that registration sets', () => {
  const script = [
    'import json',
    'from telnyx.types.messaging_profile_update_params import MessagingProfileUpdateParams',
    'print(json.dumps(sorted(MessagingProfileUpdateParams.__annotations__)))',
  ].join('\n');
  const fields: unknown = JSON.parse(execFileSync(python, ['-c', script], { encoding: 'utf8' }));
  expect(fields).toEqual(expect.arrayContaining(['webhook_api_version', 'webhook_url']));
});

/** The parameter that asks for the next page. */
function pageParameter(request: object): readonly string[] {
  const { paging = null }: { paging?: object | null } = request;
  return paging !== null && 'parameter' in paging ? [String(paging.parameter)] : [];
}

/** What a preset asks for. */
const asked = ['infobip', 'bird', 'telnyx', 'bandwidth'].map((preset) => {
  const { lookups } = presetContract(preset);
  const address = new URL(lookups?.baseUrl?.replace('your-account-id', '1') ?? '');
  const requests = [lookups?.message, lookups?.send, lookups?.list].flatMap((request) => {
    if (request === null || request === undefined) return [];
    const { path, query = {} } = request;
    const parameters = [...Object.keys(query), ...pageParameter(request)].toSorted();
    return [{ path: address.pathname.replace(/\/$/, '') + path.replace('{messageId}', 'm-1'), parameters }];
  });
  return { preset, requests };
});

describe('lookups', () => {
  let made: Readonly<Record<string, unknown>>;
  beforeAll(() => {
    const script = join(import.meta.dirname, 'support/library-requests.py');
    made = JSON.parse(execFileSync(python, ['-W', 'ignore', script], { encoding: 'utf8' }));
  });

  it.each(asked)('$preset asks as the library does', ({ preset, requests }) => {
    expect(made[preset]).toEqual(requests);
  });
});
