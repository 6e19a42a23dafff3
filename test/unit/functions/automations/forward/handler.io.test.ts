import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { lambdaContext } from '../../../../../tools/support/lambda-events.ts';
import { answer, startScriptedServer } from '../../base/sms-service/scripted-server.ts';
import { consent, queued } from '../runner/bus-messages.ts';
import { batch, startServices } from '../runner/services.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

it('forwarding posts signed events to the configured URL, and stops after a day', async () => {
  const receiver = await startScriptedServer({ 'POST /hooks': [answer(204), answer(500)] }, () => undefined);
  onTestFinished(() => receiver.close());
  const services = await startServices(
    { FORWARD_URL: `${receiver.url}/hooks`, FORWARD_SECRET_ID: 'secret' },
    { 'secretsmanager.GetSecretValue': () => ({ SecretString: JSON.stringify({ secret }) }) },
  );
  const { handler } = await import('../../../../../functions/automations/forward/handler.ts');
  const optOut = queued('SMS Opt-Out', consent);

  expect(await handler(batch([optOut]), lambdaContext)).toEqual({ batchItemFailures: [] });
  const [post] = receiver.requests;
  const headers = Object.entries(post?.headers ?? {}).map(([name, value]) => [name, String(value)]);
  expect(new Webhook(secret).verify(post?.body ?? '', Object.fromEntries(headers))).toMatchObject({
    type: 'SMS Opt-Out',
  });

  expect(await handler(batch([optOut], 23), lambdaContext)).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  expect(services.dead()).toEqual([]);
  expect(await handler(batch([optOut], 24), lambdaContext)).toEqual({ batchItemFailures: [] });
  expect(services.dead()).toEqual([optOut]);
  expect(receiver.requests).toHaveLength(3);
});
