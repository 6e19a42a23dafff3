import { CreateQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { Faults } from '../../../../../local/gateway/faults.ts';
import { startGatewayServer } from '../../../../../local/gateway/gateway-server.ts';
import { eventSourceMappingCreator } from '../../../../../local/services/lambda/event-source-mappings.ts';
import type { EventSourceMapping } from '../../../../../local/services/lambda/event-sources/queue-mapping.ts';
import { sqsClient } from '../../../../../local/services/sqs/api.ts';
import { startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { until } from '../../../../../tools/support/until.ts';
import { silentAccess } from '../../../../support/gateway.ts';
import { inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';
import { resourceRequest } from '../../../../support/resource-request.ts';

it('a mapping polls through the gateway under a name of its own, and ends while a poll hangs', async () => {
  const first = await freePorts(2);
  const sqsServer = await startSqsServer(first, first + 1);
  const faults = new Faults();
  const access = silentAccess();
  const target = inMemoryFunction();
  // Its role allows nothing: what Lambda does under it was checked when the mapping was made.
  access.set({ ...target.definition, principalArn: '', policy: [], unusedBecause: {} });
  const gateway = await startGatewayServer(
    [{ publicPort: first + 1, servicePort: first, isSmsService: false }],
    { access, secretArnOf: async (id) => id, faults },
  );
  const mappings: EventSourceMapping[] = [];
  const url = `http://127.0.0.1:${first + 1}`;
  const person = sqsClient(url);
  const { QueueUrl } = await person.send(new CreateQueueCommand({ QueueName: 'events' }));
  const caller = `${target.definition.label} poller`;
  const fault = { caller, service: 'sqs', kind: 'hang' };
  faults.replace({ faults: [{ ...fault, operation: 'DeleteMessageBatch' }] });

  await eventSourceMappingCreator({
    functions: registryOf(target),
    mappings,
    endpoints: { SQS: url },
    roles: { require: async () => {} },
    note: () => {},
  })(
    resourceRequest('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:events',
      FunctionName: target.arn,
    }),
  );
  await person.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
  await until('the message is handled', () => target.events.length > 0);
  await until('its deletion hangs', () => faults.state.faults[0]?.hit === 1);
  faults.replace({ faults: [{ ...fault, operation: 'ReceiveMessage' }] });
  // The poll that is under way already ends when there is a message.
  await person.send(new SendMessageCommand({ QueueUrl, MessageBody: 'y' }));
  await until('the next poll hangs', () => faults.state.faults[0]?.hit === 1);
  await Promise.all(mappings.map((mapping) => mapping.stop()));
  await until('the poll is given up', () => faults.state.faults[0]?.abandoned === 1);

  expect(access.report().functions.flatMap(({ denied }) => denied)).toEqual([]);
  person.destroy();
  await gateway.close();
  await sqsServer.close();
});
