import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';
import { handleAwsJson, type Operations } from '../../../local/aws-protocol/aws-json.ts';
import { closeServer, sendJson } from '../../../local/aws-protocol/http.ts';

/** AWS as far as ingest calls it: reads of the secret and SendMessage, which are answered at once. */
export interface AwsStandIn {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Speaks HTTPS as AWS does: over plain HTTP the SDK loads other code.
 *
 * @param certificateFile receives the certificate of both
 * @returns the stand-ins of Secrets Manager and of SQS, which are two hosts on AWS too
 */
export async function startAwsStandIns(
  secret: string,
  certificateFile: string,
): Promise<readonly [AwsStandIn, AwsStandIn]> {
  const current = { secret, since: '2026-01-15T12:00:00.000Z' };
  const operations: Operations = new Map<string, (input: unknown) => object>([
    [
      'secretsmanager.GetSecretValue',
      () => ({ Name: 'webhook', VersionId: 'one', SecretString: JSON.stringify({ version: 1, current }) }),
    ],
    [
      'AmazonSQS.SendMessage',
      (input) => {
        const body = (input as { readonly MessageBody: string }).MessageBody;
        return { MessageId: randomUUID(), MD5OfMessageBody: createHash('md5').update(body).digest('hex') };
      },
    ],
  ]);
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  writeFileSync(certificateFile, cert);
  return [await start(operations, { key, cert }), await start(operations, { key, cert })];
}

async function start(
  operations: Operations,
  certificate: { key: string; cert: string },
): Promise<AwsStandIn> {
  const server = createServer(certificate, (request, response) => {
    handleAwsJson(operations, request, response).catch((error: unknown) =>
      sendJson(response, 500, { __type: 'InternalFailure', message: String(error) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `https://127.0.0.1:${address.port}`, stop: () => closeServer(server) };
}
