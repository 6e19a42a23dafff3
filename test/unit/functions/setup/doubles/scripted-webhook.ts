import { answer, type Step } from '../../sms-service/scripted-server.ts';
import { webhookUrl } from './setup-under-test.ts';

export const oldSecret = 'whsec_b2xk';
export const newSecret = 'whsec_bmV3';

/** A webhook for scripts: the service's answer, and steps that change it. */
export function scriptedWebhook() {
  const webhook = { url: webhookUrl, secret: oldSecret };
  const show: Step = (...call) => answer(200, webhook)(...call);
  return {
    webhook,
    show,
    /** Rotates, and then answers in this way. */
    rotates:
      (then: Step = show): Step =>
      (...call) => {
        webhook.secret = newSecret;
        then(...call);
      },
  };
}
