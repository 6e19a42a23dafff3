import { resolve } from 'node:path';
import type { HistoryReader } from '../functions/adapters/history-reader.ts';
import { parseSecretDocument, type SecretDocument } from '../functions/core/webhook/secret-document.ts';
import { CommandFailure } from './failures.ts';
import { deployedOutputs, localOutputs, type ReadOutput } from './outputs.ts';

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
    };

/** What the commands need of a pipeline. Nothing is opened before it is asked for. */
export interface Connection {
  history(): Promise<Pick<HistoryReader, 'message' | 'timeline'>>;
  webhookUrl(): Promise<string>;
  /** Undefined while no webhook was registered. */
  webhookSecret(): Promise<SecretDocument | undefined>;
  /** What the setup function answers, parsed from JSON. @throws CommandFailure where it does not */
  invokeSetup(payload: SetupPayload): Promise<unknown>;
}

export type Connect = (target: Target) => Connection;

/** Where the services of the pipeline on this machine listen, counted from the port of its webhook. */
const localPorts = { dynamoDb: 2, secretsManager: 4, lambda: 4 } as const;

/** Calls answer soon or not at all; the setup function talks to the SMS service, which may take its time. */
const timeouts = { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true };
const setupTimeouts = { ...timeouts, requestTimeout: 120_000 };

/** @param projectDirectory what a target's directory is relative to */
export function createConnect(projectDirectory: string): Connect {
  return (target) => {
    const output = readOutputOf(target, projectDirectory);

    async function settings(service: keyof typeof localPorts) {
      if (!target.local) return { ...accountOf(target), requestHandler: timeouts };
      const endpoint = localEndpoint(await output('Pipeline', 'WebhookUrl'), localPorts[service]);
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      return { endpoint, region: 'us-east-1', credentials, maxAttempts: 1, requestHandler: timeouts };
    }

    return {
      async history() {
        const tableName = await output('Storage', 'HistoryTableName');
        const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
        const { createHistoryReader } = await import('../functions/adapters/history-reader.ts');
        return createHistoryReader(new DynamoDBClient(await settings('dynamoDb')), tableName);
      },

      webhookUrl: () => output('Pipeline', 'WebhookUrl'),

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

function readOutputOf(target: Target, projectDirectory: string): ReadOutput {
  if (target.local)
    return localOutputs(resolve(projectDirectory, target.directory, 'outputs.json'), target.prefix);
  return deployedOutputs(async () => {
    const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
    return new CloudFormationClient({ ...accountOf(target), requestHandler: timeouts });
  }, target.prefix);
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
