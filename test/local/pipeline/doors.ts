import { expect, it } from 'vitest';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import { failuresOfOddRequests, sendBytes } from '../../support/odd-requests.ts';
import type { Started } from './post-signed.ts';

/** The ports of a run, counted from its first one. */
const ports = [
  ['the HTTP API', 0],
  ['the sandbox of the SMS service', 1],
  ['DynamoDB', 2],
  ['SQS and SNS', 3],
  ['Secrets Manager, Lambda and EventBridge', 4],
] as const;

/** Reads the secret of the webhook, as a page of a browser can. */
const readSecret = (host: string, more = '') =>
  [
    'POST / HTTP/1.1',
    `Host: ${host}`,
    'Connection: close',
    'X-Amz-Target: secretsmanager.ListSecrets',
    'Content-Type: text/plain',
    `Content-Length: 2${more}`,
    '',
    '{}',
  ].join('\r\n');

export function doorsAreClosed(pipeline: Started<LocalPipeline>): void {
  it.each(ports)(
    '%s refuses a page that made its name one of this machine, and pages of other sites',
    async (_, offset) => {
      const port = pipeline().port + offset;
      for (const request of [
        readSecret(`attacker.example:${port}`),
        readSecret(`127.0.0.1.attacker.example:${port}`),
        readSecret(`127.0.0.1:${port}`, '\r\nOrigin: https://attacker.example'),
        readSecret(`127.0.0.1:${port}`, '\r\nOrigin: null'),
      ])
        expect(await sendBytes(port, Buffer.from(request))).toMatch(/^HTTP\/1\.1 403 /);
      expect(await sendBytes(port, Buffer.from(readSecret(`localhost:${port}`)))).not.toMatch(
        /^HTTP\/1\.1 403 /,
      );
    },
  );

  it.each(ports)('odd requests neither end nor break %s', async (_, offset) => {
    expect(await failuresOfOddRequests(pipeline().port + offset)).toEqual([]);
  });

  it('the start says that DynamoDB Local listens on all interfaces', () => {
    expect(pipeline().printed()).toMatch(/DynamoDB Local listens on all network interfaces, on port \d+/);
  });
}
