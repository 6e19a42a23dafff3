import { request as startRequest } from 'node:http';
import { z } from 'zod';
import { arnOf } from '../account.ts';
import { readBody } from '../services/http.ts';
import type { SecretArnOf } from './calls/secrets-manager.ts';

const MAX_BYTES = 64 * 1024;

const answerSchema = z.object({ ARN: z.string() });

/** Asks Secrets Manager for the ARN of a secret, once each. */
export function secretArns(port: number): SecretArnOf {
  const known = new Map<string, string>();
  return async (secretId) => {
    const arn = known.get(secretId) ?? (await describe(port, secretId));
    if (arn !== undefined) known.set(secretId, arn);
    return arn ?? unknownArn(secretId);
  };
}

async function describe(port: number, SecretId: string): Promise<string | undefined> {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'secretsmanager.DescribeSecret',
  };
  const sent = startRequest({ host: '127.0.0.1', port, method: 'POST', path: '/', headers });
  const answered = new Promise<Buffer | undefined>((resolve, reject) => {
    sent.on('response', (answer) => readBody(answer, MAX_BYTES).then(resolve, reject));
    sent.on('error', reject);
  });
  sent.end(JSON.stringify({ SecretId }));
  const body = await answered;
  return body && answerSchema.safeParse(JSON.parse(body.toString('utf8'))).data?.ARN;
}

/** Of a secret that there is not: the answer to that is for those only who may ask for its name. */
function unknownArn(secretId: string): string {
  return secretId.startsWith('arn:') ? secretId : arnOf('secretsmanager', `secret:${secretId}-??????`);
}
