import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type BusEvent, eventSource } from '../../../functions/publish/shapes.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import type { FunctionGrant } from '../../../local/iam/access.ts';
import { type PermissionFile, parsePermissions } from '../../../local/iam/permission-file.ts';
import { type ForwardReceiver, startForwardReceiver } from '../../engine/forward-receiver.ts';
import { sandboxAt } from '../../engine/sandbox.ts';
import { localBus } from '../../support/local-bus.ts';
import { type LocalPipeline, startLocalPipeline } from '../../support/local-pipeline.ts';

/** The permissions of a running pipeline's functions. */
export type PermissionControl = ReturnType<typeof permissionControl>;

/** @param port the first of the pipeline's five */
function permissionControl(port: number) {
  const call = async (init?: RequestInit): Promise<PermissionFile> => {
    const response = await fetch(`http://127.0.0.1:${port + 4}/local/permissions/without`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`permissions: ${response.status} ${text}`);
    return parsePermissions(text);
  };
  return {
    /** Returns the granted, the used and the denied calls so far. */
    read: () => call(),
    /** Takes grants from functions, and gives back those taken before. */
    withhold: async (grants: readonly FunctionGrant[]): Promise<void> =>
      void (await call({ method: 'PUT', body: JSON.stringify({ grants }) })),
  };
}

/** A pipeline with every automation on, and what the exercises of its functions need besides. */
export type TestBed = Awaited<ReturnType<typeof testBedOf>>;

/** Starts a test bed, and a receiver for the events that it forwards. */
export async function startTestBed(): Promise<TestBed & AsyncDisposable> {
  const receiver = await startForwardReceiver({ rejectsEachOnce: true });
  try {
    const pipeline = await startLocalPipeline({
      'sms:optOutContacts': 'on',
      'sms:contactSync': 'on',
      'sms:failureAlert': 'on',
      'sms:billingWatch': 'on',
      'sms:deliveryWatch': 'on',
      'sms:lookups': 'on',
      'sms:forwardUrl': receiver.url,
      // A denied message is redelivered after six times that.
      'sms:workerTimeoutSeconds': 10,
    });
    return {
      ...(await testBedOf(pipeline, receiver)),
      [Symbol.asyncDispose]: async () => {
        await pipeline.stop();
        await receiver[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await receiver[Symbol.asyncDispose]();
    throw error;
  }
}

/** Takes the messages out of a queue without other readers, and remembers them. */
export function inboxOf(sqs: SQSClient, queueUrl: string) {
  const bodies: string[] = [];
  return {
    /** Returns whether a message with this text has come. */
    async has(text: string): Promise<boolean> {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
      );
      for (const { Body = '', ReceiptHandle } of Messages) {
        bodies.push(Body);
        await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
      }
      return bodies.some((body) => body.includes(text));
    },
  };
}

async function testBedOf(pipeline: LocalPipeline, receiver: ForwardReceiver) {
  const { port, outputs, sqs } = pipeline;
  const client = (offset: number) => localClient(`http://127.0.0.1:${port + offset}`);
  const events = new EventBridgeClient(client(4));
  const lambda = new LambdaClient(client(4));
  /** An output of the stacks. @throws Error if there is none of this name */
  const output = (name: string): string => {
    const value = outputs[name];
    if (value === undefined) throw new Error(`the stacks have no output ${name}`);
    return value;
  };
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'notices' }));
  const Endpoint = 'arn:aws:sqs:us-east-1:000000000000:notices';
  await new SNSClient(client(3)).send(
    new SubscribeCommand({ TopicArn: output('NoticesTopicArn'), Protocol: 'sqs', Endpoint }),
  );
  return {
    pipeline,
    permissions: permissionControl(port),
    sandbox: sandboxAt(`http://127.0.0.1:${port + 1}`),
    bus: localBus(port),
    /** The notices of the automations. */
    notices: inboxOf(sqs, QueueUrl),
    /** Where events are forwarded to. */
    receiver,
    output,
    /** Puts an event on the bus, as the publisher does. */
    async putEvent({ detailType, detail }: BusEvent): Promise<void> {
      const entry = {
        EventBusName: output('EventBusName'),
        Source: eventSource,
        DetailType: detailType,
        Detail: JSON.stringify({ pipeline: output('PipelineName'), ...detail }),
      };
      await events.send(new PutEventsCommand({ Entries: [entry] }));
    },
    /** Runs the function of this name, and waits for it. @returns its answer @throws Error if it failed */
    async invoke(functionName: string, event: unknown): Promise<unknown> {
      const { FunctionError, Payload } = await lambda.send(
        new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
      );
      const answer = Payload?.transformToString() ?? 'null';
      if (FunctionError !== undefined) throw new Error(`${functionName} failed: ${answer}`);
      return JSON.parse(answer);
    },
  };
}
