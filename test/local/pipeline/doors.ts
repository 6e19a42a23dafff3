import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { loopbackUrl } from '../../../local/aws-protocol/http.ts';
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

  it('DynamoDB Local, which listens on all interfaces, shows no table to a caller without the access key of the run', async () => {
    const [, port] = /^Port:\s+(\d+)$/m.exec(pipeline().functionLog('dynamodb')) ?? [];
    const tablesAt = async (at: number) => {
      const client = new DynamoDBClient(localClient(loopbackUrl(at)));
      const { TableNames } = await client.send(new ListTablesCommand({}));
      return TableNames;
    };
    expect(await tablesAt(Number(port))).toEqual([]);
    expect(await tablesAt(pipeline().port + 2)).not.toEqual([]);
  });
}
