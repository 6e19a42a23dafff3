import { err, ok, type SmsServiceError } from '../../../functions/base/sms-service/request.ts';
import type { Registration } from '../../../functions/registration/registration.ts';

/** A change of the webhook that the pipeline does not make. */
export interface ChangeElsewhere {
  readonly url?: string;
  readonly rotate?: boolean;
}

/** The webhook of the SMS service in memory. test/support/suites/sms-service-webhook.ts compares it with the sandbox. */
export function createMemoryWebhook(config = { url: '', secret: '' }) {
  const webhook = { ...config };
  let secrets = 0;
  let rotations = 0;
  let refused = 0;

  function change({ url = webhook.url, rotate = false }: ChangeElsewhere): void {
    const isFirst = webhook.secret === '';
    if (rotate || (isFirst && url !== '')) {
      if (!isFirst) rotations++;
      webhook.secret = `whsec_${Buffer.from(`secret ${++secrets}`).toString('base64')}`;
    }
    webhook.url = url;
  }

  async function put(url: string, rotate: boolean) {
    if (refused > 0) refused--;
    else if (url === '' || /^https?:/.test(url)) {
      change({ url, rotate });
      return ok({ ...webhook });
    }
    return err(invalid);
  }

  const client: Registration = {
    rotates: true,
    read: async () => ok({ ...webhook }),
    set: (url) => put(url, false),
    rotate: (url) => put(url, true),
    deactivate: () => put('', false),
  };
  return {
    client,
    /** The current URL and secret. */
    webhook,
    rotations: () => rotations,
    changeElsewhere: change,
    /** Rejects the next call of "set webhook". */
    refuseOnce: () => void refused++,
  };
}

const invalid: SmsServiceError = {
  kind: 'validation',
  operation: 'set webhook',
  status: 422,
  body: '{"path":"url"}',
};
