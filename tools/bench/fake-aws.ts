import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { handleAwsJson, type Operations } from '../../local/aws-protocol/aws-json.ts';
import { sendJson } from '../../local/aws-protocol/http.ts';
import { webhookSecret } from './function-environment.ts';
import { type ServerIdentity, serve } from './https-server.ts';

/** AWS as far as ingest, worker and publisher call it: answers at once, keeps nothing, counts. */
export interface FakeAws {
  /** Base URL, on the loopback interface. */
  readonly url: string;
  /** Calls so far, those that were refused too. */
  calls(): number;
  stop(): Promise<void>;
}

const sendMessage = z.object({ MessageBody: z.string() });
const putEvents = z.object({ Entries: z.array(z.unknown()) });

/** @param identity for HTTPS, which AWS speaks; without it, plain HTTP */
export async function startFakeAws(identity?: ServerIdentity): Promise<FakeAws> {
  const current = { secret: webhookSecret, since: '2026-01-15T12:00:00.000Z' };
  const secret = JSON.stringify({ version: 1, current });
  const operations: Operations = new Map<string, (input: unknown) => object>([
    [
      'secretsmanager.GetSecretValue',
      () => ({ Name: 'webhook', VersionId: 'version-1', SecretString: secret }),
    ],
    [
      'AmazonSQS.SendMessage',
      (input) => {
        const { MessageBody } = sendMessage.parse(input);
        return {
          MessageId: randomUUID(),
          MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
        };
      },
    ],
    ['DynamoDB_20120810.UpdateItem', () => ({})],
    [
      'AWSEvents.PutEvents',
      (input) => ({
        FailedEntryCount: 0,
        Entries: putEvents.parse(input).Entries.map(() => ({ EventId: randomUUID() })),
      }),
    ],
  ]);
  let calls = 0;
  const { address, stop } = await serve((request, response) => {
    calls += 1;
    handleAwsJson(operations, request, response).catch((error: unknown) =>
      sendJson(response, 500, { __type: 'InternalFailure', message: String(error) }),
    );
  }, identity);
  return {
    url: `${identity === undefined ? 'http' : 'https'}://${address}`,
    calls: () => calls,
    stop,
  };
}
