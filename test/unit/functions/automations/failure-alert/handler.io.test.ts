import { expect, it } from 'vitest';
import { lambdaContext } from '../../../../../tools/support/lambda-events.ts';
import { queued } from '../runner/bus-messages.ts';
import { receivable, startServices } from '../runner/services.ts';
import { failure } from './failures.ts';

it('the failure alert empties the queue, publishes a notice and deletes its messages, and fails for a message that is not an event', async () => {
  const failed = queued('SMS Delivery Status Changed', {
    version: 1,
    ...failure(1, { errorCode: '30008' }),
    final: true,
    outcome: 'failure',
    reportCount: 1,
    historyEventId: 'e1',
    receivedAt: '2026-01-15T12:00:00.000Z',
    conflict: false,
  });
  const waiting = [receivable(failed, 'r1'), receivable('{"no":"event"}', 'r2')];
  const services = await startServices(
    { NOTICES_TOPIC_ARN: 'arn:aws:sns:us-east-1:000000000000:notices', ALERT_PERIOD_MINUTES: '15' },
    { 'AmazonSQS.ReceiveMessage': () => ({ Messages: waiting.splice(0) }) },
  );
  const { handler } = await import('../../../../../functions/automations/failure-alert/handler.ts');
  const context = { ...lambdaContext, getRemainingTimeInMillis: () => 60_000 };
  await expect(handler({}, context)).rejects.toThrow('BusMessageError');
  expect(services.inputs('SNS.Publish')).toMatchObject([
    { Subject: 'SMS: 1 message failed, error 30008', Message: expect.stringContaining('every 15 min') },
  ]);
  expect(services.inputs('AmazonSQS.DeleteMessageBatch')).toMatchObject([
    { Entries: [{ ReceiptHandle: 'r1' }] },
  ]);
});
