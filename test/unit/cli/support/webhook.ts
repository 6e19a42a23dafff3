import type { Terminal } from '../../../../cli/target/context.ts';
import type { SetupPayload } from '../../../../cli/target/stack/setup-function.ts';
import type { WebhookReport } from '../../../../functions/registration/webhook-report.ts';
import { commandLine, noonPlus } from './harness.ts';

const minute = 60_000;

/** A webhook that nothing is wrong with, an hour after its secret was stored. */
export const registered: WebhookReport = {
  webhookUrl: 'https://api.example.test/webhooks/sms',
  registeredUrl: 'https://api.example.test/webhooks/sms',
  state: 'registered',
  serviceFailure: null,
  desiredState: 'registered',
  secret: {
    stored: true,
    matchesService: true,
    since: noonPlus(-60 * minute),
    previousValidUntil: null,
    rotating: null,
  },
  drift: null,
  lastReconcile: { at: noonPlus(-3 * minute), failure: null },
  lastVerifiedAt: noonPlus(-12_000),
  mismatchesLastHour: 0,
};

/** The same with other members of `secret`. */
export function withSecret(secret: Partial<WebhookReport['secret']>): WebhookReport {
  return { ...registered, secret: { ...registered.secret, ...secret } };
}

/** A command line whose setup function answers so, and what that was asked. */
export function answering(answer: (payload: SetupPayload) => unknown, terminal: Partial<Terminal> = {}) {
  const asked: SetupPayload[] = [];
  const invokeSetup = async (payload: SetupPayload) => {
    asked.push(payload);
    return answer(payload);
  };
  return { asked, ...commandLine({ connection: { invokeSetup }, terminal }) };
}
