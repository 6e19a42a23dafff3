import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../lib/bundling/build-functions.ts';
import { type SdkTrim, sdkTrims, trimSdk } from '../../lib/bundling/sdk-trims.ts';
import { newFolder } from '../infra/support/built-app.ts';
import { startScriptedServer } from '../unit/functions/base/sms-service/scripted-server.ts';
import { answers, serverTime } from './trimmed-clients/answers.ts';
import { makeCalls } from './trimmed-clients/calls.ts';

const root = resolve(import.meta.dirname, '../..');
const names = Object.keys(answers);
/** As Lambda gives them. */
const credentials = { id: 'AKIDEXAMPLE', key: 'a-key', token: 'a-token' };
const trace =
  'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0;Lineage=1:a87bd80c:0';

const partitions = readFileSync(
  join(root, 'node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js'),
  'utf8',
);
/** Every region the SDK lists, some it will only guess, and none at all. */
const regions = [
  ...[...partitions.matchAll(/"([a-z]+(?:-[a-z]+)+(?:-\d+)?)": \{/g)].map(([, name = '']) => name),
  'eu-nowhere-9',
  'cn-nowhere-9',
  'us-gov-nowhere-9',
  'nowhere',
];

type Requests = Awaited<ReturnType<typeof startScriptedServer>>['requests'];

/** Bundles the calls with these trims, runs them as a function on Lambda would, and returns the observations of both sides. */
async function run(trims: readonly SdkTrim[]) {
  const { outputFiles = [] } = await compile({
    absWorkingDir: root,
    stdin: {
      contents: `import { ${makeCalls.name} as make } from './test/nightly/trimmed-clients/calls.ts';
        make(process.argv[2], ...JSON.parse(process.argv[3]));`,
      resolveDir: root,
    },
    plugins: [trimSdk(trims)],
  });
  const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.contents ?? '';
  const folder = newFolder();
  writeFileSync(join(folder, 'calls.cjs'), code);
  const server = await startScriptedServer(
    Object.fromEntries(Object.entries(answers).map(([name, steps]) => [`POST /${name}/`, steps])),
    () => undefined,
  );
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(folder, 'calls.cjs'), server.url, JSON.stringify([names, regions])],
      {
        env: {
          HOME: folder,
          AWS_REGION: 'us-east-1',
          AWS_ACCESS_KEY_ID: credentials.id,
          AWS_SECRET_ACCESS_KEY: credentials.key,
          AWS_SESSION_TOKEN: credentials.token,
          AWS_LAMBDA_FUNCTION_NAME: 'ingest',
          _X_AMZN_TRACE_ID: trace,
        },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const seen: { outcomes: Record<string, unknown>; endpoints: Record<string, string[]> } =
      JSON.parse(stdout);
    return { ...seen, stderr, requests: server.requests };
  } finally {
    await server.close();
  }
}

/** Requests of one call in the order of its attempts, without what differs from one run to the next. */
function sent(requests: Requests, name: string) {
  return requests
    .filter(({ path }) => path === `/${name}/`)
    .map(({ method, headers, body }) => {
      const { host, authorization, 'x-amz-date': date, ...rest } = headers;
      // Trimmed clients do not say which features of the SDK are in use.
      const { 'amz-sdk-invocation-id': id, 'user-agent': agent = '', ...alike } = rest;
      return { method, body, headers: alike, agent: agent.replace(/ m\/\S*/, '') };
    });
}

/** When the attempts of a call were signed, in milliseconds since the epoch. */
const signedAt = (requests: Requests, name: string) =>
  requests
    .filter(({ path }) => path === `/${name}/`)
    .map(({ headers }) =>
      Date.parse(String(headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')),
    );

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The signature a request should have (IAM user guide, "Create a signed AWS API request"). */
function signatureOf({ method, path, headers, body }: Requests[number]): string {
  const [, day = '', service = '', signed = ''] =
    headers.authorization?.match(/\/(\d{8})\/us-east-1\/(.+)\/aws4_request, SignedHeaders=([^,]+),/) ?? [];
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const lines = signed.split(';').map((header) => `${header}:${headers[header]}\n`);
  const canonical = [method, path, '', lines.join(''), signed, sha256(body)].join('\n');
  const scope = `${day}/us-east-1/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = ['us-east-1', service, 'aws4_request'].reduce(hmac, hmac(`AWS4${credentials.key}`, day));
  return hmac(key, text).toString('hex');
}

describe('trimmed clients', () => {
  let full: Awaited<ReturnType<typeof run>>;
  let trimmed: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    full = await run([]);
    trimmed = await run(sdkTrims);
  });

  it.each(names)('send the requests, retries and results of the whole SDK: %s', (name) => {
    expect(trimmed.outcomes[name]).toEqual(full.outcomes[name]);
    expect(sent(trimmed.requests, name)).toEqual(sent(full.requests, name));
  });

  it('sign every request', () => {
    expect(trimmed.requests.length).toBeGreaterThan(names.length);
    for (const request of trimmed.requests) {
      expect(request.headers).toMatchObject({
        'x-amz-security-token': credentials.token,
        authorization: expect.stringContaining(`Credential=${credentials.id}/`),
      });
      expect(request.headers.authorization).toContain(`Signature=${signatureOf(request)}`);
    }
  });

  it('sign again with the time of the service after a clock error', () => {
    for (const { requests } of [full, trimmed]) {
      const [first = 0, second = 0, ...more] = signedAt(requests, 'sqs-clock-ahead');
      expect(first).toBeGreaterThan(serverTime + 366 * 24 * 3600 * 1000);
      // A service takes five minutes of difference; the pause before the second attempt is below a second.
      expect(Math.abs(second - serverTime)).toBeLessThan(60_000);
      expect(more).toEqual([]);
    }
  });

  // Lambda finds by it functions that call themselves in a circle, through a queue too.
  it('pass on the trace of the invocation', () => {
    for (const { headers } of trimmed.requests) expect(headers['x-amzn-trace-id']).toBe(trace);
  });

  it('call the same endpoint in every region, of every partition', () => {
    expect(regions.length).toBeGreaterThan(30);
    expect(trimmed.endpoints).toEqual(full.endpoints);
    expect(trimmed.endpoints['cn-north-1']).toContain('https://sqs.cn-north-1.amazonaws.com.cn/');
  });

  it('emit no warning', () => {
    expect(trimmed.stderr).toBe('');
  });
});
