import * as z from 'zod';
import { type CallerOptions, createCaller } from '../../base/sms-service/caller.ts';
import { decodeAnswer, err, type Result } from '../../base/sms-service/request.ts';
import { operations, type Registration } from '../registration.ts';
import type { ServiceWebhook } from '../webhook-drift.ts';

/** The address of Telnyx's API. */
export const telnyxBaseUrl = 'https://api.telnyx.com';

interface TelnyxOptions extends CallerOptions {
  /** The id of the messaging profile: a UUID. */
  readonly id: string;
}

/** The webhooks whose format the preset describes. */
const apiVersion = '2';

/** The fields of a messaging profile that are about its webhooks. Its `v1_secret` is not read: it authenticates with endpoints of version 1. */
const messagingProfile = z.object({
  data: z.object({ webhook_url: z.string().nullish(), webhook_api_version: z.string().optional() }),
});

const cannotRotate =
  'Telnyx signs with its own key, which this API cannot replace: if the portal shows another public key, store it with "webhook store-secret"';

/**
 * Registers at a messaging profile of Telnyx.
 * (Telnyx, "Update a messaging profile": https://developers.telnyx.com/api-reference/profiles/update-a-messaging-profile.)
 */
export function createTelnyxMessagingProfile(options: TelnyxOptions): Registration {
  const { apiKey, id } = options;
  const { perform } = createCaller(options);
  const authorization = `Bearer ${apiKey}`;

  /** @param body undefined to read */
  async function call(body?: Readonly<Record<string, string | null>>): Promise<Result<ServiceWebhook>> {
    const request = {
      name: body === undefined ? operations.read : operations.set,
      method: body === undefined ? 'GET' : 'PATCH',
      path: `/v2/messaging_profiles/${id}`,
      body,
      // Setting the same values twice equals setting them once.
      repeatable: true,
    };
    const result = await perform(request, (text) => decodeAnswer(messagingProfile, text), { authorization });
    return result.kind === 'ok' ? { kind: 'ok', value: webhookOf(result.value) } : result;
  }

  return {
    rotates: false,
    read: () => call(),
    set: (url) => call({ webhook_url: url, webhook_api_version: apiVersion }),
    rotate: async () => err({ kind: 'not-sent', operation: operations.set, reason: cannotRotate }),
    deactivate: () => call({ webhook_url: null }),
  };
}

function webhookOf({ data }: z.output<typeof messagingProfile>): ServiceWebhook {
  const webhook = { url: data.webhook_url ?? '', secret: undefined };
  return data.webhook_api_version === apiVersion || webhook.url === ''
    ? webhook
    : { ...webhook, hasWrongSettings: true };
}
