import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { discoveryJson, renderDiscovery } from '../../../cli/commands/contract/render-discovery.ts';
import { readCaptureFile } from '../../../cli/input/capture-file.ts';
import type { View } from '../../../cli/output/print.ts';
import { CommandFailure } from '../../../cli/target/errors.ts';
import { ContractError } from '../../../contract/document/parse.ts';
import { contractToWrite } from '../../../discovery/contract-to-write.ts';
import { discover } from '../../../discovery/discovery.ts';
import { contracts, shippedContract } from '../../../tools/support/contracts.ts';
import { presetContracts } from '../../support/preset-contracts.ts';
import { temporaryFiles } from '../cli/support/temporary-directory.ts';
import { attempts, fuzz } from './fuzz.ts';
import {
  changedJson,
  hostileBodies,
  hostileBytes,
  type JsonChange,
  jsonChanges,
} from './hostile-requests.ts';
import { hostileJson, hostileTexts, privateNumber, privateText } from './hostile-values.ts';
import { assertShowsNoInsides } from './watch.ts';

const path = temporaryFiles()('captures', '');
const digits = privateNumber.slice(2);

/** Lines of requests as HTTP has them and as curl prints them, good and bad. */
const lines = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'POST /webhooks/sms?a=1 HTTP/1.1',
      'GET http://hooks.example/a?b=%zz',
      'Host: hooks.example',
      'host: //[%',
      'Content-Type: application/json',
      'Content-Length: 2',
      'Content-Length: 99999999999',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
      'X-Forwarded-Proto: http',
      '',
      '{}',
      `{"to":"${privateNumber}","text":"${privateText}"}`,
      '###',
      '# a comment',
      '# @receivedAt 2026-01-15T12:00:05Z',
      '# @receivedAt 2026-99-15T12:00:05Z',
      '// @receivedAt 0000-01-01T00:00:00+23:59',
      'curl -v https://hooks.example/a -H "X-A: b" \\',
      '  -d \'{"a":1}\'',
      "curl 'https://hooks.example' --data-urlencode 'a=\\ud800' -G",
      "curl https://hooks.example --data-urlencode $'a=\\ud800\\x00'",
      "curl -X PUT --url https://hooks.example --json '{}' --data @file",
      'curl --data-urlencode',
      'curl -H : -H "" -X',
      'curl "',
      "curl $'\\",
      '> POST /a HTTP/1.1',
      '> Host: hooks.example',
      '> Content-Length: 3',
      '* upload completely sent off: 2 bytes',
      '< HTTP/1.1 200 OK',
    ),
  },
  hostileTexts,
);

const transcripts = fc
  .tuple(fc.array(lines, { maxLength: 10 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([all, separator]) => all.join(separator));

const headers = [{ name: 'Host', value: 'hooks.example' }];
const url = 'https://hooks.example/webhooks/sms?a=b';
const raw = Buffer.from('POST / HTTP/1.1\r\n\r\n{}').toString('base64');
const exported: readonly unknown[] = [
  [{ method: 'POST', url, headers: { Host: 'a' }, body: '{}', receivedAt: '2026-01-15T12:00:05Z' }],
  { url: '/a', headers: { Host: ['a.example', 'b'] }, bodyBase64: 'e30=', masked: true, id: 'q-1' },
  {
    log: {
      entries: [
        {
          startedDateTime: '2026-01-15T12:00:05Z',
          request: { method: 'POST', url, headers, postData: { text: '{}', encoding: 'base64' } },
        },
      ],
    },
  },
  {
    requests: [
      {
        start: '2026-01-15T12:00:05Z',
        request: { method: 'POST', uri: '/a', headers: { Host: ['a'] }, raw },
      },
    ],
  },
  {
    data: [
      {
        uuid: 'u',
        method: 'POST',
        url,
        headers: { host: ['a'] },
        content: '{}',
        created_at: '2026-01-15 12:00:05',
      },
    ],
  },
];

const exports = fc
  .tuple(
    fc.constantFrom(...exported),
    jsonChanges(
      fc.oneof(
        fc.constantFrom(
          '"2026-01-15T12:00:05Z"',
          '"+275760-09-13T00:00:00.001Z"',
          '"//["',
          '"e30"',
          '"GET"',
          '{"content-length":"99"}',
        ),
        hostileJson,
      ),
    ),
  )
  .map(([json, changes]) => JSON.stringify(changedJson(json, changes)) ?? '');

const files = fc.oneof(
  { weight: 4, arbitrary: transcripts.map((text) => Buffer.from(text).toString('base64')) },
  { weight: 4, arbitrary: exports.map((text) => Buffer.from(text).toString('base64')) },
  hostileBodies,
  hostileBytes,
);

fuzz<{ readonly file: string }>(
  'captures',
  {
    inputs: fc.record({ file: files }),
    async attempt({ file }) {
      writeFileSync(path, Buffer.from(file, 'base64'));
      try {
        const captures = await readCaptureFile(path);
        assert(captures.length > 0, 'no capture was read');
        for (const { url: read, receivedAt } of captures) {
          assert(URL.canParse(read), 'a URL that is none');
          assert(receivedAt === undefined || new Date(receivedAt).toISOString() === receivedAt);
        }
        return 'read';
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        assertShowsNoInsides('the error', error.message.replaceAll('received undefined', ''));
        assert(!error.message.includes(digits), 'the error holds a whole number of the file');
        return 'refused';
      }
    },
  },
  ['read', 'refused'],
);

interface DiscoveryAttempt {
  readonly contract: number;
  readonly requests: readonly {
    readonly sample: number;
    readonly changes: readonly JsonChange[];
    /** Base64, in place of the sample's body; null: that of the sample. */
    readonly body: string | null;
    readonly headers: readonly (readonly [string, string])[];
    readonly query: string;
    readonly receivedAt: string | null;
  }[];
  readonly secret: string;
}

const view: View = { zone: 'UTC', reveal: false, style: (_, text) => text, columns: undefined };

fuzz<DiscoveryAttempt>(
  'discovery',
  {
    // The search for the signed text hashes the bodies in thousands of ways. For 80 KB it takes 2 s, and for 320 KB 3 s.
    maxCpuMs: 10_000,
    inputs: fc.record({
      contract: fc.nat(100),
      requests: fc.array(
        fc.record({
          sample: fc.nat(10),
          changes: jsonChanges(hostileJson),
          body: fc.option(fc.oneof(hostileBodies, hostileBytes), { freq: 3 }),
          headers: fc.array(
            fc.tuple(
              fc.oneof(hostileTexts, fc.constantFrom('content-type', 'x-signature', 'authorization')),
              hostileTexts,
            ),
            { maxLength: 2 },
          ),
          query: fc.oneof(fc.constant(''), hostileTexts),
          receivedAt: fc.option(fc.constant('2026-01-15T12:00:05.000Z')),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      secret: fc.oneof(fc.constantFrom(...contracts.map(({ secret }) => secret)), hostileTexts),
    }),
    async attempt({ contract: index, requests, secret }) {
      const samples = presetContracts[index % presetContracts.length]?.contract.samples ?? [];
      const captures = requests.map(({ sample: at, changes, body, headers, query, receivedAt }, number) => {
        const sample = samples[at % samples.length];
        const text = sample?.bodyText ?? JSON.stringify(changedJson(sample?.body, changes)) ?? '';
        return {
          name: `request ${number}`,
          method: sample?.method ?? 'POST',
          url: `https://hooks.example/webhooks/sms${query && '?'}${query}`,
          headers: { ...sample?.request?.headers, ...Object.fromEntries(headers) },
          body: body === null ? Buffer.from(text) : Buffer.from(body, 'base64'),
          ...(receivedAt !== null && { receivedAt }),
        };
      });
      const now = Date.UTC(2026, 0, 15, 12, 0, 10);
      const discovery = await discover(
        captures,
        () => [secret],
        shippedContract,
        now,
        async (all) => all,
      );
      const shown = renderDiscovery(discovery, view);
      assert(
        !shown.includes(digits),
        `a whole number is shown: ${shown.split('\n').filter((line) => line.includes(digits))}`,
      );
      const hasMapping = discovery.mapping.events.some(({ kind }) => kind !== undefined);
      try {
        const writable = contractToWrite(discovery, shippedContract);
        const json = JSON.stringify(discoveryJson(discovery, writable, [], view));
        assert(!json.includes(digits), 'a whole number is in the JSON');
      } catch (error) {
        if (!(error instanceof ContractError || error instanceof CommandFailure)) throw error;
        return 'refused';
      }
      return hasMapping ? 'mapping' : 'nothing';
    },
  },
  ['mapping'],
  Math.ceil(attempts / 30),
);
