import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { CreateTopicCommand, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { startAwsEndpoint } from '../../../../../local/aws-protocol/aws-endpoint.ts';
import { arnOf } from '../../../../../local/aws-protocol/call.ts';
import { closeServer } from '../../../../../local/aws-protocol/http.ts';
import type { CreateResource } from '../../../../../local/cloudformation/deploy-stack.ts';
import { parseTemplate } from '../../../../../local/cloudformation/template.ts';
import { EventBridge, eventBridgeOperations } from '../../../../../local/services/event-bridge/api.ts';
import { eventBridgeRoutes } from '../../../../../local/services/event-bridge/control-endpoint.ts';
import {
  eventArchiveCreator,
  eventBusCreator,
} from '../../../../../local/services/event-bridge/resources.ts';
import { ruleCreator } from '../../../../../local/services/event-bridge/rules.ts';
import { AsyncInvocations, FunctionRegistry } from '../../../../../local/services/lambda/functions.ts';
import { snsClient } from '../../../../../local/services/sns/resources.ts';
import { sqsClient } from '../../../../../local/services/sqs/api.ts';
import { startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { until } from '../../../../../tools/support/until.ts';
import { fakeRetryClock, hostFunction } from '../../../../support/local-lambda.ts';

const CODE = `exports.handler = async (event) => {
  console.log(JSON.stringify(event));
  if (event.detail.fails) throw new Error('out of order');
};`;

/** The stand-in with the queues, topics and a function that it sends to, as a local run wires them. */
export async function startEventBridge() {
  const [awsPort, sqsPort] = [await freePorts(), await freePorts()];
  const [awsUrl, sqsUrl] = [`http://127.0.0.1:${awsPort}`, `http://127.0.0.1:${sqsPort}`];
  const sqsServer = await startSqsServer(sqsPort);
  const [sqs, sns] = [sqsClient(sqsUrl), snsClient(sqsUrl)];
  const clock = fakeRetryClock();
  const notes: string[] = [];
  const note = (line: string): void => void notes.push(line);
  const hosted = hostFunction(CODE);
  const functionArn = arnOf('lambda', 'function:function-under-test');
  const functions = new FunctionRegistry();
  functions.add({ definition: hosted.definition, arn: functionArn, pool: hosted.pool });
  const asyncInvocations = new AsyncInvocations(clock, note);
  const draws: number[] = [];
  const eventBridge = new EventBridge({ clock, random: () => draws.shift() ?? 0.99, note });
  const server = await startAwsEndpoint(awsPort, [
    { operations: eventBridgeOperations(eventBridge), routes: eventBridgeRoutes(eventBridge) },
  ]);
  const client = new EventBridgeClient({
    endpoint: awsUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  });
  const ruleParts = { asyncInvocations, sqsUrl, eventBridge, functions, note, schedules: [], sns, sqs };
  const create = (creator: CreateResource, type: string, logicalId: string, properties: object) =>
    creator({
      stack: { name: 'Events', template: parseTemplate({}), assets: new Map() },
      logicalId,
      type,
      properties: { ...properties },
    });

  return {
    client,
    clock,
    notes,
    /** The next draws of what is refused; then nothing is. */
    draws,
    functionArn,
    controlUrl: `${awsUrl}/local/event-bridge`,
    /** The events that the function has printed. */
    functionEvents: (): unknown[] =>
      hosted
        .log()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    createBus: (Name: string) =>
      create(eventBusCreator(eventBridge), 'AWS::Events::EventBus', 'Bus', { Name }),
    createRule: (logicalId: string, properties: object) =>
      create(ruleCreator(ruleParts), 'AWS::Events::Rule', logicalId, properties),
    createArchive: (logicalId: string, properties: object) =>
      create(eventArchiveCreator(eventBridge), 'AWS::Events::Archive', logicalId, properties),
    /** @returns the queue's ARN */
    async createQueue(QueueName: string): Promise<string> {
      await sqs.send(new CreateQueueCommand({ QueueName }));
      return arnOf('sqs', QueueName);
    },
    /** @returns the ARN of a topic that feeds a queue */
    async createTopic(Name: string, queueArn: string): Promise<string> {
      const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name }));
      await sns.send(
        new SubscribeCommand({
          TopicArn,
          Protocol: 'sqs',
          Endpoint: queueArn,
          Attributes: { RawMessageDelivery: 'true' },
        }),
      );
      return TopicArn;
    },
    /** Waits for so many messages of a queue. */
    async messages(queueArn: string, count: number): Promise<Message[]> {
      const received: Message[] = [];
      await until(`${count} messages`, async () => {
        const QueueUrl = `${sqsUrl}/000000000000/${queueArn.split(':').at(-1)}`;
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
        );
        received.push(...Messages);
        return received.length >= count;
      });
      return received;
    },
    async stop(): Promise<void> {
      client.destroy();
      sqs.destroy();
      sns.destroy();
      await closeServer(server);
      await hosted.pool.stop();
      await sqsServer.close();
    },
  };
}

export type EventBridgeUnderTest = Awaited<ReturnType<typeof startEventBridge>>;
