import { resolve } from 'node:path';
import type { HistoryLists, HistoryReader } from '../../functions/lists/history-list-store.ts';
import type { QuarantineReader } from '../../functions/lists/quarantine-list-store.ts';
import type { Clock } from '../../functions/runtime/clock.ts';
import type { Envelope } from '../../functions/webhook/envelope.ts';
import { parseSecretDocument, type SecretDocument } from '../../functions/webhook/secret-document.ts';
import type { WebhookSecretStore } from '../../functions/webhook/webhook-secret-store.ts';
import type { PersonalData } from '../personal-data/eraser.ts';
import type { DeadLetterQueue } from '../stores/dead-letter-queue.ts';
import type { DriftReader, HistoryExport, RemoveQuarantined } from '../stores/history-tables.ts';
import { type DeadLetterQueueName, deadLetterQueueNames, deadLetterStacks } from './dead-letter-queues.ts';
import { CommandFailure } from './errors.ts';
import {
  deployedOutputs,
  deployedStacks,
  localOutputs,
  localStacks,
  MissingOutput,
  type ReadOutput,
  type ReadStack,
} from './outputs.ts';
import type { ReplayAccess } from './replay-access.ts';

/** Which pipeline a command is about. */
export interface Target {
  /** The one on this machine, else the deployed one. */
  readonly local: boolean;
  /** Where the run on this machine puts its outputs; relative to the project. */
  readonly directory: string;
  /** What the stacks' names begin with. */
  readonly prefix: string;
  readonly region?: string;
  /** A profile of the AWS configuration files. */
  readonly profile?: string;
}

/** What the setup function is asked to do. */
export type SetupPayload =
  | { readonly action: 'status' | 'register' | 'deactivate' | 'reconcile' }
  | {
      readonly action: 'rotate';
      /** Also while the previous secret is still accepted. */
      readonly force: boolean;
      /** Whether the replaced secret stays accepted for a while. */
      readonly overlap: boolean;
    }
  | {
      readonly action: 'capture';
      /** From now on, in milliseconds; 0 ends it, and without it nothing is changed. */
      readonly forMs?: number;
    };

/** How many requests, about, were received and are not in the tables yet. */
export interface Waiting {
  readonly events: number;
  /** Those that were given up on. */
  readonly deadLetters: number;
}

/** A queue of what was given up on, by the output that names it. */
export interface NamedDeadLetterQueue extends DeadLetterQueueName {
  readonly queue: DeadLetterQueue;
}

/** What brings an entry of the quarantine back to the worker. */
export interface Requeue {
  /** Resolves once the queue has confirmed the request; throws in every other case. */
  send(envelope: Envelope): Promise<void>;
  readonly remove: RemoveQuarantined;
}

/** What the settings say of the webhook. */
export interface WebhookSettings {
  /** Whether the pipeline registers it itself; else people enter it in the service's console. */
  readonly registration: 'on' | 'off';
  /** How long a replaced secret stays accepted, in milliseconds. */
  readonly overlapMs: number;
}

/** What the commands need of a pipeline. Nothing is opened before it is asked for. */
export interface Connection {
  history(): Promise<Pick<HistoryReader, 'message'> & HistoryLists>;
  quarantine(): Promise<QuarantineReader>;
  drift(): Promise<DriftReader>;
  requeue(): Promise<Requeue>;
  /** Those of all stacks. */
  deadLetterQueues(): Promise<readonly NamedDeadLetterQueue[]>;
  historyExport(): Promise<HistoryExport>;
  personalData(clock: Clock): Promise<PersonalData>;
  waiting(): Promise<Waiting>;
  /** @throws CommandFailure where the bus has no archive */
  replays(): Promise<ReplayAccess>;
  webhookUrl(): Promise<string>;
  webhookSettings(): Promise<WebhookSettings>;
  /** Undefined while no webhook was registered. */
  webhookSecret(): Promise<SecretDocument | undefined>;
  /** To write it. */
  secretStore(): Promise<WebhookSecretStore>;
  /** What the setup function answers, parsed from JSON. @throws CommandFailure where it does not */
  invokeSetup(payload: SetupPayload): Promise<unknown>;
}

export type Connect = (target: Target) => Connection;

/** Where the services of the pipeline on this machine listen, counted from the port of its webhook. */
const localPorts = { dynamoDb: 2, sqs: 3, secretsManager: 4, lambda: 4, eventBridge: 4 } as const;

/** Calls answer soon or not at all; the setup function talks to the SMS service, which may take its time. */
const timeouts = { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true };
const setupTimeouts = { ...timeouts, requestTimeout: 120_000 };

/** @param projectDirectory what a target's directory is relative to */
export function createConnect(projectDirectory: string): Connect {
  return (target) => {
    const { output, stack } = outputsOf(target, projectDirectory);

    async function settings(service: keyof typeof localPorts) {
      if (!target.local) return { ...accountOf(target), requestHandler: timeouts };
      const endpoint = localEndpoint(await output('Pipeline', 'WebhookUrl'), localPorts[service]);
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      return { endpoint, region: 'us-east-1', credentials, maxAttempts: 1, requestHandler: timeouts };
    }

    async function dynamoDb() {
      const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
      return new DynamoDBClient(await settings('dynamoDb'));
    }

    async function sqs() {
      const { SQSClient } = await import('@aws-sdk/client-sqs');
      return new SQSClient(await settings('sqs'));
    }

    return {
      async history() {
        const tableName = await output('Storage', 'HistoryTableName');
        const shards = Number(await output('Pipeline', 'WorklistShards'));
        const client = await dynamoDb();
        const { createHistoryLists } = await import('../../functions/lists/history-list-store.ts');
        const { createHistoryReader } = await import('../../functions/lists/history-list-store.ts');
        return {
          ...createHistoryReader(client, tableName),
          ...createHistoryLists(client, tableName, shards),
        };
      },

      async quarantine() {
        const tableName = await output('Storage', 'QuarantineTableName');
        const { createQuarantineReader } = await import('../../functions/lists/quarantine-list-store.ts');
        return createQuarantineReader(await dynamoDb(), tableName);
      },

      async drift() {
        const tableName = await output('Storage', 'HistoryTableName');
        const { createDriftReader } = await import('../stores/history-tables.ts');
        return createDriftReader(await dynamoDb(), tableName);
      },

      async requeue() {
        const tableName = await output('Storage', 'QuarantineTableName');
        const queueUrl = await output('Pipeline', 'EventsQueueUrl');
        const { createQueueSender } = await import('../../functions/aws/sqs-queue.ts');
        const { encodeEnvelope } = await import('../../functions/webhook/envelope.ts');
        const { createQuarantineRemoval } = await import('../stores/history-tables.ts');
        const events = createQueueSender(await sqs(), queueUrl);
        return {
          send: (envelope) => events.send(encodeEnvelope(envelope)),
          remove: createQuarantineRemoval(await dynamoDb(), tableName),
        };
      },

      async deadLetterQueues() {
        // Says what is wrong where there is no pipeline at all.
        await output('Pipeline', 'DeadLetterQueueUrl');
        const outputs = await Promise.all(deadLetterStacks.map(stack));
        const client = await sqs();
        const { createDeadLetterQueue } = await import('../stores/dead-letter-queue.ts');
        return outputs
          .flatMap(deadLetterQueueNames)
          .map((names) => ({ ...names, queue: createDeadLetterQueue(client, names.url) }));
      },

      async historyExport() {
        const tableName = await output('Storage', 'HistoryTableName');
        const { createHistoryExport } = await import('../stores/history-tables.ts');
        return createHistoryExport(await dynamoDb(), tableName);
      },

      async personalData(clock) {
        const history = await output('Storage', 'HistoryTableName');
        const quarantine = await output('Storage', 'QuarantineTableName');
        const { createPersonalData } = await import('../personal-data/eraser.ts');
        const { indexLagMs } = await import('../personal-data/eraser.ts');
        // DynamoDB Local writes its indexes together with the table.
        const waitMs = target.local ? 0 : indexLagMs;
        return createPersonalData(await dynamoDb(), { history, quarantine }, clock, waitMs);
      },

      async waiting() {
        const events = await output('Pipeline', 'EventsQueueUrl');
        const deadLetters = await output('Pipeline', 'DeadLetterQueueUrl');
        const client = await sqs();
        const { countWaiting } = await import('../stores/dead-letter-queue.ts');
        return {
          events: await countWaiting(client, events),
          deadLetters: await countWaiting(client, deadLetters),
        };
      },

      async replays() {
        const bus = await output('Events', 'EventBusName');
        const archive = await output('Events', 'EventArchiveName').catch((error: unknown) => {
          if (!(error instanceof MissingOutput)) throw error;
          throw new CommandFailure(
            'The event bus has no archive, so there is nothing to replay: set sms:eventArchiveDays to more than 0 and deploy; events published from then on are kept.',
          );
        });
        const { EventBridgeClient } = await import('@aws-sdk/client-eventbridge');
        const { createReplayAccess } = await import('./replay-access.ts');
        return createReplayAccess(new EventBridgeClient(await settings('eventBridge')), bus, archive);
      },

      webhookUrl: () => output('Pipeline', 'WebhookUrl'),

      async webhookSettings() {
        const registration = await output('Pipeline', 'Registration');
        const overlapHours = await output('Pipeline', 'SecretOverlapHours');
        return {
          registration: registration === 'off' ? 'off' : 'on',
          overlapMs: Number(overlapHours) * 3_600_000,
        };
      },

      async secretStore() {
        const secretId = await output('Storage', 'WebhookSecretId');
        const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
        const { createWebhookSecretStore } = await import('../../functions/webhook/webhook-secret-store.ts');
        return createWebhookSecretStore(new SecretsManagerClient(await settings('secretsManager')), secretId);
      },

      async webhookSecret() {
        const secretId = await output('Storage', 'WebhookSecretId');
        const { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } = await import(
          '@aws-sdk/client-secrets-manager'
        );
        const client = new SecretsManagerClient(await settings('secretsManager'));
        try {
          const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
          return readDocument(SecretString);
        } catch (error) {
          // Said of a secret without a value as well.
          if (error instanceof ResourceNotFoundException) return undefined;
          throw error;
        }
      },

      async invokeSetup(payload) {
        const name = await output('Pipeline', 'SetupFunctionName');
        const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
        // Once: a registration that was asked for twice is two registrations.
        const client = new LambdaClient({
          ...(await settings('lambda')),
          maxAttempts: 1,
          requestHandler: setupTimeouts,
        });
        const command = new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(payload) });
        const answer = await client.send(command).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'TimeoutError') throw unanswered(name, payload.action);
          throw error;
        });
        const value = parseJson(answer.Payload?.transformToString());
        if (answer.FunctionError !== undefined)
          throw new CommandFailure(
            `The setup function ${name} broke off: ${breakdown(value)}. Its log says more: .local/logs/setup.log on this machine, else the log group SetupLogs of the pipeline's stack.`,
          );
        return value;
      },
    };
  };
}

/**
 * @param webhookUrl of the pipeline on this machine
 * @param offset of the service's port
 */
export function localEndpoint(webhookUrl: string, offset: number): string {
  const url = URL.canParse(webhookUrl) ? new URL(webhookUrl) : undefined;
  // Port 80 is left out of a URL that is read.
  const port = Number(url?.port || (url?.protocol === 'http:' ? 80 : 0));
  if (port === 0)
    throw new CommandFailure(
      'The outputs file names a WebhookUrl without a port. Start the pipeline on this machine with: npm start',
    );
  return `http://127.0.0.1:${port + offset}`;
}

function outputsOf(
  target: Target,
  projectDirectory: string,
): { readonly output: ReadOutput; readonly stack: ReadStack } {
  const { local, directory, prefix } = target;
  if (local) {
    const path = resolve(projectDirectory, directory, 'outputs.json');
    return { output: localOutputs(path, prefix), stack: localStacks(path, prefix) };
  }
  const connect = async () => {
    const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
    return new CloudFormationClient({ ...accountOf(target), requestHandler: timeouts });
  };
  return { output: deployedOutputs(connect, prefix), stack: deployedStacks(connect, prefix) };
}

function accountOf({ region, profile }: Target): { region?: string; profile?: string } {
  return { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) };
}

function readDocument(text: string | undefined): SecretDocument {
  const parsed = parseSecretDocument(parseJson(text));
  if (parsed.ok) return parsed.document;
  throw new CommandFailure(
    `The webhook's secret is not as the pipeline writes it: ${parsed.problems.join('; ')}`,
  );
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Trying again is no advice here: what was asked for may have been done. */
function unanswered(name: string, action: string): CommandFailure {
  return new CommandFailure(
    `The setup function ${name} did not answer in time, and may have carried out "${action}" all the same: webhook status shows what is so now.`,
  );
}

/** The kind of error alone: the message of an unexpected one may hold anything. A timeout has no kind. */
function breakdown(value: unknown): string {
  const type =
    typeof value === 'object' && value !== null && 'errorType' in value ? value.errorType : undefined;
  return typeof type === 'string' ? type : 'no answer (it may have run out of time)';
}
