import { signRequest } from '../../contract/signature/sign.ts';
import { shippedContract } from '../support/contracts.ts';
import { httpApiEvent } from '../support/lambda-events.ts';
import { webhookSecret, webhookUrl } from './function-environment.ts';
import { bodyOf, eventOf } from './reports.ts';

/** Makes signed webhook requests as API Gateway hands them to ingest: JSON. Each reports on a message of its own. */
export function webhookRequests(): () => string {
  let message = 0;
  return () => {
    message += 1;
    const event = eventOf({ series: 'request', message, step: 2 });
    const body = bodyOf(event);
    const signed = { body, id: event.eventId, now: Date.now(), url: webhookUrl };
    return JSON.stringify(
      httpApiEvent({
        body: String(body),
        headers: {
          'content-type': 'application/json',
          'content-length': String(body.length),
          host: 'sms.example.test',
          'user-agent': 'sms-service/1.0',
          'x-forwarded-for': '192.0.2.1',
          'x-forwarded-port': '443',
          'x-forwarded-proto': 'https',
          ...signRequest(shippedContract.webhook.signature, signed, webhookSecret),
        },
      }),
    );
  };
}
