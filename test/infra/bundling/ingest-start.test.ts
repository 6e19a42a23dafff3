import { execFile } from 'node:child_process';
import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { bundleFunctions } from '../../../lib/bundling/bundle-functions.ts';
import { readContractFile, readKeywordsFile } from '../../../lib/settings/input-files.ts';
import { closeServer, listen, sendJson } from '../../../local/aws-protocol/http.ts';
import { newFolder } from '../support/built-app.ts';

const root = resolve(import.meta.dirname, '../../..');
let bundle = '';
let secretsManager: Server | undefined;

beforeAll(async () => {
  const contract = readContractFile(join(root, 'contract.json'));
  const keywords = readKeywordsFile(join(root, 'keywords.json'));
  bundle = join(await bundleFunctions({ root, outdir: newFolder(), contract, keywords }), 'ingest');
});
afterEach(async () => {
  if (secretsManager) await closeServer(secretsManager);
});

/** Loads ingest as Lambda does and ends at once. @returns what was exported, and how often the store had answered by then */
async function start(status: number, answer: object) {
  let reads = 0;
  secretsManager = await listen(0, (_request, response) => {
    response.on('finish', () => {
      reads += 1;
    });
    sendJson(response, status, answer);
  });
  const bound = secretsManager.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  const load = `import(${JSON.stringify(pathToFileURL(join(bundle, 'index.mjs')).href)})
    .then(({ handler }) => process.stdout.write(typeof handler, () => process.exit(0)))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', load], {
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port}`,
      POWERTOOLS_SERVICE_NAME: 'ingest',
      POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
      EVENTS_QUEUE_URL: 'https://sqs.example.test/1/events',
      SIGNALS_QUEUE_URL: 'https://sqs.example.test/1/signals',
      WEBHOOK_SECRET_ID: 'webhook',
      WEBHOOK_URL: 'https://sms.example.test/webhooks/sms',
      PARK_UNVERIFIED: 'rotating',
      ALLOWED_SOURCE_IPS: '',
      CAPTURE_UNTIL: '',
    },
  });
  return { exported: stdout, reads };
}

it('ingest has read the secret at the end of its cold start', async () => {
  const secret = { version: 1, current: { secret: 'whsec_test', since: '2026-01-15T12:00:00.000Z' } };
  const answer = { Name: 'webhook', VersionId: 'v1', SecretString: JSON.stringify(secret) };
  expect(await start(200, answer)).toEqual({ exported: 'function', reads: 1 });
});

it('ingest starts when it cannot read the secret', async () => {
  const refusal = { __type: 'AccessDeniedException', message: 'no' };
  expect(await start(400, refusal)).toEqual({ exported: 'function', reads: 1 });
});
