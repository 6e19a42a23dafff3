import { expect, it } from 'vitest';
import * as z from 'zod';
import { lambdaContext } from '../../../../../tools/support/lambda-events.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import { phone, queued, reply } from '../runner/bus-messages.ts';
import { batch, startServices } from '../runner/services.ts';

const list = '11111111-2222-4333-8444-555555555555';

it("the contact sync writes the replier's contact once in 24 hours, and releases the lease and sets the event aside if the service rejects the contact as invalid", async () => {
  const services = await startServices(
    {
      API_KEY_SECRET_ID: 'api-key',
      CONTACT_TURNS_TABLE_NAME: 'turns',
      CONTACT_LIST_IDS: list,
    },
    { 'secretsmanager.GetSecretValue': () => ({ SecretString: 'the-key' }) },
    [answer(200, JSON.stringify(list)), answer(400)],
  );
  const { handler } = await import('../../../../../functions/automations/contact-sync/handler.ts');
  const replied = queued('SMS Reply Received', reply);
  const before = Date.now();

  expect(await handler(batch([replied]), lambdaContext)).toEqual({ batchItemFailures: [] });
  expect(services.contacts()).toEqual([{ phone, lists: [list] }]);
  const [, finish] = services.inputs('DynamoDB_20120810.UpdateItem');
  const until = z
    .object({ ExpressionAttributeValues: z.object({ ':until': z.object({ N: z.coerce.number() }) }) })
    .parse(finish).ExpressionAttributeValues[':until'].N;
  expect(until).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
  expect(services.inputs('DynamoDB_20120810.DeleteItem')).toEqual([]);

  expect(await handler(batch([replied]), lambdaContext)).toEqual({ batchItemFailures: [] });
  expect(services.dead()).toEqual([replied]);
  expect(services.inputs('DynamoDB_20120810.DeleteItem')).toMatchObject([{ TableName: 'turns' }]);
});
