import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { BusEvent } from '../../../functions/bus/details.ts';
import { eventSource } from '../../../functions/bus/event-types.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import type { FunctionGrant } from '../../../local/iam/access.ts';
import { type PermissionFile, parsePermissions } from '../../../local/iam/permission-file.ts';
import { type ForwardReceiver, startForwardReceiver } from '../../engine/forward-receiver.ts';
import { type Sandbox, sandboxAt } from '../../engine/sandbox.ts';
import { type LocalBus, localBus } from '../../support/local-bus.ts';
import { type LocalPipeline, startLocalPipeline } from '../../support/local-pipeline.ts';

/** The permissions of a running pipeline's functions. */
export interface PermissionControl {
  /** Returns the granted, the used and the denied calls so far. */
  read(): Promise<PermissionFile>;
  /** Takes grants from functions, and gives back those taken before. */
  withhold(grants: readonly FunctionGrant[]): Promise<void>;
}

/** @param port the first of the pipeline's five */
function permissionControl(port: number): PermissionControl {
  const call = async (init?: RequestInit): Promise<PermissionFile> => {
    const response = await fetch(`http://127.0.0.1:${port + 4}/local/permissions/without`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`permissions: ${response.status} ${text}`);
    return parsePermissions(text);
  };
  return {
    read: () => call(),
    withhold: async (grants) => void (await call({ method: 'PUT', body: JSON.stringify({ grants }) })),
  };
}

/** A pipeline with every automation on, and what the exercises of its functions need besides. */
export interface Bench {
  readonly pipeline: LocalPipeline;
  readonly permissions: PermissionControl;
  readonly sandbox: Sandbox;
  readonly bus: LocalBus;
  /** The notices of the automations. */
  readonly notices: Inbox;
  /** Where events are forwarded to. */
  readonly receiver: ForwardReceiver;
  /** An output of the stacks. @throws Error where there is none of this name */
  output(name: string): string;
  /** Puts an event on the bus, as the publisher does. */
  putEvent(event: BusEvent): Promise<void>;
  /** Runs the function of this name, and waits for it. @returns its answer @throws Error where it failed */
  invoke(functionName: string, event: unknown): Promise<unknown>;
}

export interface RunningBench extends Bench {
  stop(): Promise<void>;
}

export async function startBench(): Promise<RunningBench> {
  const receiver = await startForwardReceiver({ rejectsEachOnce: true });
  try {
    const pipeline = await startLocalPipeline({
      'sms:optOutContacts': 'on',
      'sms:contactSync': 'on',
      'sms:failureAlert': 'on',
      'sms:billingWatch': 'on',
      'sms:forwardUrl': receiver.url,
      // A denied message is redelivered after six times that.
      'sms:workerTimeoutSeconds': 10,
    });
    return { ...(await benchOf(pipeline, receiver)), stop: () => stop(pipeline, receiver) };
  } catch (error) {
    await receiver[Symbol.asyncDispose]();
    throw error;
  }
}

async function stop(pipeline: LocalPipeline, receiver: ForwardReceiver): Promise<void> {
  await pipeline.stop();
  await receiver[Symbol.asyncDispose]();
}

/** Takes the messages out of a queue, and knows them from then on. */
export interface Inbox {
  /** Returns whether a message with this text has come. */
  has(text: string): Promise<boolean>;
}

/** @param queueUrl a queue without other readers */
export function inboxOf(sqs: SQSClient, queueUrl: string): Inbox {
  const bodies: string[] = [];
  return {
    async has(text) {
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

async function benchOf(pipeline: LocalPipeline, receiver: ForwardReceiver): Promise<Bench> {
  const { port, outputs, sqs } = pipeline;
  const client = (offset: number) => localClient(`http://127.0.0.1:${port + offset}`);
  const events = new EventBridgeClient(client(4));
  const lambda = new LambdaClient(client(4));
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
    notices: inboxOf(sqs, QueueUrl),
    receiver,
    output,
    async putEvent({ detailType, detail }) {
      const entry = {
        EventBusName: output('EventBusName'),
        Source: eventSource,
        DetailType: detailType,
        Detail: JSON.stringify(detail),
      };
      await events.send(new PutEventsCommand({ Entries: [entry] }));
    },
    async invoke(functionName, event) {
      const { FunctionError, Payload } = await lambda.send(
        new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
      );
      const answer = Payload?.transformToString() ?? 'null';
      if (FunctionError !== undefined) throw new Error(`${functionName} failed: ${answer}`);
      return JSON.parse(answer);
    },
  };
}
