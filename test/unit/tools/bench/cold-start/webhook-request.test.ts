import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, it } from 'vitest';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import { createVerifier } from '../../../../../contract/signature/verify.ts';
import {
  webhookRequests,
  webhookSecret,
  webhookUrl,
} from '../../../../../tools/bench/cold-start/webhook-request.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';

const { signature } = shippedContract.webhook;

it('requests are genuine, and each is about a message of its own', () => {
  const next = webhookRequests(signature);
  const verify = createVerifier(signature);
  const map = createMapper(shippedContract);
  const ids = [1, 2].map(() => {
    const event: APIGatewayProxyEventV2 = JSON.parse(next());
    const body = Buffer.from(event.body ?? '');
    const request = { headers: event.headers, body, url: webhookUrl };
    const verdict = verify(request, [webhookSecret], Date.now());
    if (verdict.kind === 'rejected') throw new Error(verdict.reason);
    return map(body, verdict.signedId, new Date(0).toISOString()).map(
      (mapped) => mapped.kind === 'event' && mapped.event,
    );
  });
  expect(ids).toMatchObject([
    [{ kind: 'sms.status', status: 'delivered', eventId: 'msg_000000000001' }],
    [{ kind: 'sms.status', status: 'delivered', eventId: 'msg_000000000002' }],
  ]);
  expect(new Set(ids.flat().map((event) => event && 'messageId' in event && event.messageId)).size).toBe(2);
});
