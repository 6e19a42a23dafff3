import { answer, type Step } from '../../sms-service/scripted-server.ts';
import { webhookUrl } from './setup-under-test.ts';

export const oldSecret = 'whsec_b2xk';
export const newSecret = 'whsec_bmV3';

/** A webhook for scripts: what the service tells of it, and steps that change it. */
export function scriptedWebhook() {
  const webhook = { url: webhookUrl, secret: oldSecret };
  const tell: Step = (...call) => answer(200, webhook)(...call);
  return {
    webhook,
    tell,
    /** Rotates, and then answers in this way. */
    rotates:
      (then: Step = tell): Step =>
      (...call) => {
        webhook.secret = newSecret;
        then(...call);
      },
  };
}
