import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createVerifier } from '#signature';
import webhook from '#webhook';

const verify = createVerifier(webhook.signature);
const { WEBHOOK_SECRET = '', WEBHOOK_URL = '' } = process.env;

/** Verifies a request as ingest does and keeps it nowhere: the least that a webhook has to do. */
export const handler = async ({ headers, body = '' }: APIGatewayProxyEventV2) => {
  const request = { headers, body: Buffer.from(body), url: WEBHOOK_URL };
  return { statusCode: verify(request, [WEBHOOK_SECRET], Date.now()).kind === 'verified' ? 200 : 401 };
};
