import * as z from 'zod';
import { type CallerOptions, createCaller } from '../../base/sms-service/caller.ts';
import { decodeAnswer, err, type Result } from '../../base/sms-service/request.ts';
import { operations, type Registration } from '../registration.ts';
import { isSameUrl, type ServiceWebhook } from '../webhook-drift.ts';

/** The address of Twilio's Messaging API. */
export const twilioBaseUrl = 'https://messaging.twilio.com';

interface TwilioOptions extends CallerOptions {
  /** `user:password` of Basic authentication: the SID of an API key and its secret, or the Account SID and the Auth Token. */
  readonly apiKey: string;
  /** The SID of the messaging service: `MG` and 32 hexadecimal digits. */
  readonly id: string;
  /** The URL of this pipeline. */
  readonly webhookUrl: string;
}

const url = z
  .string()
  .nullable()
  .transform((text) => text ?? '');

/** The fields of a messaging service that are about its webhooks. */
const messagingService = z.object({
  status_callback: url,
  inbound_request_url: url,
  inbound_method: z.string().nullable(),
});

const unusableKey =
  'the secret with the API key does not hold "user:password": store the SID of an API key and its secret, for example SK...:..., or the Account SID and the Auth Token';

const cannotRotate =
  'the pipeline does not rotate the Auth Token, with which Twilio signs: store the secondary token with "webhook store-secret", and then promote it in the console of Twilio or by its API (https://www.twilio.com/docs/iam/api/authtoken)';

/**
 * Registers at a messaging service of Twilio: its status callback and its URL for incoming messages.
 * (Twilio, "Services resource": https://www.twilio.com/docs/messaging/services/api.)
 */
export function createTwilioMessagingService(options: TwilioOptions): Registration {
  const { apiKey, id, webhookUrl } = options;
  const { perform, hide } = createCaller(options);
  const authorization = `Basic ${Buffer.from(apiKey).toString('base64')}`;
  hide(authorization.slice('Basic '.length));
  const colon = apiKey.indexOf(':');
  const isUsableKey = colon > 0 && colon < apiKey.length - 1 && !/\s/.test(apiKey);
  hide(apiKey.slice(colon + 1));

  /** @param form undefined to read */
  async function call(form?: Readonly<Record<string, string>>): Promise<Result<ServiceWebhook>> {
    const operation = form === undefined ? operations.read : operations.set;
    if (!isUsableKey) return err({ kind: 'not-sent', operation, reason: unusableKey });
    const request = {
      name: operation,
      method: form === undefined ? 'GET' : 'POST',
      path: `/v1/Services/${id}`,
      body: form === undefined ? undefined : new URLSearchParams(form),
      // Setting the same values twice equals setting them once.
      repeatable: true,
    };
    const result = await perform(request, (text) => decodeAnswer(messagingService, text), { authorization });
    return result.kind === 'ok' ? { kind: 'ok', value: webhookOf(result.value, webhookUrl) } : result;
  }

  return {
    rotates: false,
    read: () => call(),
    set: (target) => call({ StatusCallback: target, InboundRequestUrl: target, InboundMethod: 'POST' }),
    rotate: async () => err({ kind: 'not-sent', operation: operations.set, reason: cannotRotate }),
    deactivate: () => call({ StatusCallback: '', InboundRequestUrl: '' }),
  };
}

/**
 * Makes one webhook of the two URLs of a messaging service. One that is not the pipeline's goes first, so that each difference counts as
 * drift.
 */
function webhookOf(
  {
    status_callback: status,
    inbound_request_url: inbound,
    inbound_method: method,
  }: z.output<typeof messagingService>,
  webhookUrl: string,
): ServiceWebhook {
  const urls = [status, inbound];
  const isOurs = (one: string) => isSameUrl(one, webhookUrl);
  const other = urls.find((one) => one !== '' && !isOurs(one));
  const url = other ?? (urls.includes('') ? '' : webhookUrl);
  const isHalfRegistered = url === '' && urls.some(isOurs);
  // Twilio signs the URL as it was entered, and ingest verifies the pipeline's own text of it.
  const isWrittenOtherwise = urls.some((one) => isOurs(one) && one !== webhookUrl);
  const webhook = { url, secret: undefined };
  return isHalfRegistered || isWrittenOtherwise || (isOurs(inbound) && method !== 'POST')
    ? { ...webhook, hasWrongSettings: true }
    : webhook;
}
