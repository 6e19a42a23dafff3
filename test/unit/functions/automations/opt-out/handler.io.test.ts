import { expect, it } from 'vitest';
import { lambdaContext } from '../../../../../tools/support/lambda-events.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import { consent, phone, queued, reply } from '../runner/bus-messages.ts';
import { batch, startServices } from '../runner/services.ts';

const list = '11111111-2222-4333-8444-555555555555';

it('the opt-out automation follows the register, sends a notice, sets aside messages that can never succeed and returns the rest for a retry', async () => {
  const services = await startServices(
    {
      API_KEY_SECRET_ID: 'api-key',
      HISTORY_TABLE_NAME: 'history',
      OPT_OUT_LIST_IDS: list,
      OPT_IN_LIST_IDS: '',
      NOTICES_TOPIC_ARN: 'arn:aws:sns:us-east-1:000000000000:notices',
    },
    {
      'secretsmanager.GetSecretValue': () => ({ SecretString: 'the-key' }),
      'DynamoDB_20120810.GetItem': () => ({
        Item: {
          state: { S: 'out' },
          statements: {
            L: [
              {
                M: {
                  phone: { S: phone },
                  state: { S: 'out' },
                  at: { S: '2026-01-15T12:00:00.000Z' },
                  by: { S: 'person' },
                  replyId: { S: 'reply-1' },
                },
              },
            ],
          },
        },
      }),
    },
    [answer(200, JSON.stringify(list)), answer(422), answer(409)],
  );
  const { handler } = await import('../../../../../functions/automations/opt-out/handler.ts');
  const optOut = queued('SMS Opt-Out', consent);

  expect(await handler(batch([optOut]), lambdaContext)).toEqual({ batchItemFailures: [] });
  expect(services.contacts()).toEqual([{ phone, lists: [list] }]);

  const mayMeanStop = queued('SMS Reply Received', { ...reply, mayMeanStop: true });
  const none = '{"no":"event"}';
  expect(await handler(batch([mayMeanStop, none]), lambdaContext)).toEqual({ batchItemFailures: [] });
  expect(services.inputs('SNS.Publish')).toMatchObject([
    { TopicArn: 'arn:aws:sns:us-east-1:000000000000:notices', Message: expect.stringContaining('reply-1') },
  ]);
  expect(services.dead()).toEqual([none]);

  expect(await handler(batch([optOut]), lambdaContext)).toEqual({ batchItemFailures: [] });
  expect(services.dead()).toEqual([none, optOut]);

  expect(await handler(batch([optOut]), lambdaContext)).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  expect(services.dead()).toHaveLength(2);
  expect(services.inputs('AmazonSQS.ChangeMessageVisibilityBatch')).toMatchObject([
    { Entries: [{ ReceiptHandle: 'handle-1' }] },
  ]);
  // After four days it has waited long enough.
  expect(await handler(batch([optOut], 24 * 4.5), lambdaContext)).toEqual({ batchItemFailures: [] });
  expect(services.dead()).toHaveLength(3);
});
