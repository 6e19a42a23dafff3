import { resolve } from 'node:path';
import type { Keys } from '../../client/signed-fetch.ts';
import type { Clock } from '../../functions/base/basics.ts';
import type { HistoryLists, HistoryReader } from '../../functions/history/index.ts';
import type { CounterReads } from '../../functions/insights/index.ts';
import type { LookupRequest } from '../../functions/lookups/shapes.ts';
import type { QuarantineReader, Requeue } from '../../functions/receive/index.ts';
import {
  parseSecretDocument,
  type SecretDocument,
  type WebhookSecretStore,
} from '../../functions/registration/index.ts';
import type { PersonalData } from '../personal-data/eraser.ts';
import type { ErasureKey } from '../personal-data/erasure-key.ts';
import type { DeadLetterQueue } from '../stores/dead-letter-queue.ts';
import type { HistoryImport } from '../stores/history-import.ts';
import type { HistoryItems } from '../stores/history-items.ts';
import type { HistoryExport, ReadDriftDays } from '../stores/history-tables.ts';
import type { MoveTasks } from '../stores/move-tasks.ts';
import type { OptOutAccess } from '../stores/opt-outs.ts';
import type { RecountSources } from '../stores/recount-sources.ts';
import type { HistoryCopy } from '../stores/table-copy.ts';
import { parseJson } from '../text/format.ts';
import { awsSettings, timeouts } from './aws-settings.ts';
import type { CallerIdentity } from './caller-identity.ts';
import { CommandFailure } from './errors.ts';
import { findById } from './find-by-id.ts';
import { checkProfile } from './profile.ts';
import { createFetch } from './proxy.ts';
import type { Environment } from './proxy-address.ts';
import type { BusRules } from './stack/bus-rules.ts';
import type { CaptureSwitch } from './stack/capture-switch.ts';
import { type DeadLetterQueueName, deadLetterQueueNames } from './stack/dead-letter-queues.ts';
import type { Inspection } from './stack/inspection.ts';
import { invokeLookups } from './stack/lookup-function.ts';
import {
  deployedOutputs,
  localOutputs,
  MissingOutput,
  type PipelineOutputs,
  sourcesOf,
} from './stack/outputs.ts';
import type { Principals } from './stack/principals.ts';
import type { ReplayAccess } from './stack/replay-access.ts';
import { invokeSetup, type SetupPayload } from './stack/setup-function.ts';
import type { Target } from './target.ts';

export type { Target };

/** Approximate counts of received requests that are not in the tables yet. */
export interface WaitingRequests {
  readonly events: number;
  readonly deadLetters: number;
}

/** A dead-letter queue with its name, which is the name of its output. */
export interface NamedDeadLetterQueue extends DeadLetterQueueName {
  readonly queue: DeadLetterQueue;
  /** Left out where SQS cannot move the messages to their source by itself: on this machine, or without a source. */
  readonly tasks?: MoveTasks;
}

/** The settings of the webhook. */
export interface WebhookSettings {
  /** Whether the pipeline registers the webhook itself; otherwise people enter it in the service's console. */
  readonly registration: 'on' | 'off';
  /** How long a replaced secret stays accepted, in milliseconds. */
  readonly overlapMs: number;
}

/** The query API as a signer needs it. */
interface QueryApi {
  /** The output `QueryUrl`. */
  readonly url: string;
  readonly region: string;
  readonly credentials: () => Promise<Keys>;
  readonly fetch: typeof fetch;
}

/** How the history keeps its items. */
interface HistorySettingsHere {
  readonly retentionDays: number;
  readonly listShards: number;
  readonly optOutsBySource: boolean;
}

/** Tables of another copy of a history. */
interface CopiedTables {
  /** Names, or ARNs for tables of another account. */
  readonly tables: readonly string[];
  /** The profile and the region by which they are read; those of the pipeline if left out. */
  readonly profile?: string;
  readonly region?: string;
}

/** The parts of a pipeline that commands use. Each part is connected on its first use. */
export interface Connection {
  /** Returns the outputs by name. @throws CommandFailure for a missing pipeline */
  outputs(): Promise<Readonly<Record<string, string>>>;
  /** Returns the names of all sources, whichever the target names. */
  sources(): Promise<readonly string[]>;
  history(): Promise<Pick<HistoryReader, 'message'> & HistoryLists>;
  /** Returns the item of a message, as the table has it, without the types of DynamoDB. */
  messageItem(messageId: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Reads the counters of insights. */
  counters(): Promise<CounterReads>;
  /** Connects to what a recount of the counters reads and writes. @param newId names marks in the stream */
  recount(newId: () => string): Promise<RecountSources>;
  optOuts(): Promise<OptOutAccess>;
  /** Returns whose keys the command uses, and AWS's time; both undefined on this machine. */
  caller(): Promise<CallerIdentity>;
  quarantine(): Promise<QuarantineReader>;
  drift(): Promise<ReadDriftDays>;
  requeue(): Promise<Requeue>;
  /** Returns the dead-letter queues of the pipeline. */
  deadLetterQueues(): Promise<readonly NamedDeadLetterQueue[]>;
  historyExport(): Promise<HistoryExport>;
  /** Connects to what an import of history reads and writes. */
  historyImport(): Promise<HistoryImport>;
  /** Connects to the items of the history and the quarantine. */
  historyItems(): Promise<HistoryItems>;
  historySettings(): Promise<HistorySettingsHere>;
  /** Opens tables of another copy. */
  copiedTables(copied: CopiedTables): Promise<HistoryCopy>;
  erasureKey(): Promise<ErasureKey>;
  /**
   * @param onRead is called with the number of items of each page that was read
   * @param onUnsearched is called with the id of each entry of the quarantine that has more than was searched
   */
  personalData(
    clock: Clock,
    onRead?: (items: number) => void,
    onUnsearched?: (id: string) => void,
  ): Promise<PersonalData>;
  waiting(): Promise<WaitingRequests>;
  /** @throws CommandFailure for a bus without an archive */
  replays(): Promise<ReplayAccess>;
  /** Returns the hash of the contract that the functions work by. @throws MissingOutput after an incomplete deployment */
  contractHash(): Promise<string>;
  webhookUrl(): Promise<string>;
  /** Returns the query API's address, and what signs requests to it. */
  queryApi(): Promise<QueryApi>;
  webhookSettings(): Promise<WebhookSettings>;
  /** Returns undefined while no webhook was registered. */
  webhookSecret(): Promise<SecretDocument | undefined>;
  /** Opens the secret for writing. */
  secretStore(): Promise<WebhookSecretStore>;
  /** Reads and sets the end of the capture. */
  captureSwitch(): Promise<CaptureSwitch>;
  /** What the check after a deployment looks at. */
  inspection(): Promise<Inspection>;
  /** Returns the ARNs of the streams of the tables. */
  streamArns(): Promise<readonly string[]>;
  /** The rules of the bus. */
  busRules(): Promise<BusRules>;
  /** Asks IAM about the roles and users of the account. */
  principals(): Promise<Principals>;
  /** Returns the setup function's answer, parsed from JSON. @throws CommandFailure if it does not answer */
  invokeSetup(payload: SetupPayload): Promise<unknown>;
  /**
   * Returns the answer of the lookup function, parsed from JSON.
   *
   * @throws CommandFailure if it does not answer; MissingOutput if the pipeline has no lookups
   */
  invokeLookups(request: LookupRequest): Promise<unknown>;
}

export type Connect = (target: Target) => Connection;

/** The ports of the local services, counted from the port of the webhook. */
const localPorts = {
  dynamoDb: 2,
  sqs: 3,
  secretsManager: 4,
  lambda: 4,
  eventBridge: 4,
  sns: 3,
  cloudWatch: 4,
} as const;

/** The functions setup and lookups call the SMS service, which may be slow; in milliseconds. */
const serviceTimeout = 120_000;

/** Makes the function that connects to a pipeline. @param projectDirectory the base of a target's directory */
export function createConnect(projectDirectory: string, environment: Environment = process.env): Connect {
  return (target) => {
    const outputs = outputsOf(target, projectDirectory, environment);
    const { output, all } = outputs;
    const { source: _, ...everySource } = target;
    /** Reads the outputs of all sources, whichever the target names. */
    const allOutputs = outputsOf(everySource, projectDirectory, environment);

    /** Returns the names of all sources, or only the one that the target names. @throws CommandFailure if it does not exist */
    async function chosenSources(): Promise<readonly string[]> {
      const known = sourcesOf(await all());
      return target.source === undefined ? known : [target.source];
    }

    async function registerSettings() {
      const listShards = Number(await output('ListShards'));
      const { OptOutsBySource } = await all();
      return { listShards, optOutsBySource: OptOutsBySource === 'on' };
    }

    /** @param place a profile and a region in place of those of the target */
    async function settings(
      service: keyof typeof localPorts,
      place: Pick<Target, 'profile' | 'region'> = {},
    ) {
      if (!target.local) return awsSettings({ ...target, ...place }, environment);
      const webhookUrl = await output('WebhookUrl');
      const { LocalPort } = await all();
      const first = LocalPort === undefined ? webhookUrl : `http://127.0.0.1:${LocalPort}`;
      const endpoint = localEndpoint(first, localPorts[service]);
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      return { endpoint, region: 'us-east-1', credentials, maxAttempts: 1, requestHandler: timeouts };
    }

    async function dynamoDb() {
      const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
      return new DynamoDBClient(await settings('dynamoDb'));
    }

    /** Reads and writes many items, and waits where DynamoDB throttles. */
    async function patientDynamoDb(place: Pick<Target, 'profile' | 'region'> = {}) {
      const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
      // The database on one machine does not throttle, but it reads a part of a large table slowly.
      const patience = target.local
        ? { requestHandler: { ...timeouts, requestTimeout: 120_000 } }
        : { retryMode: 'adaptive', maxAttempts: 12 };
      return new DynamoDBClient({ ...(await settings('dynamoDb', place)), ...patience });
    }

    async function historyItems() {
      const history = await output('HistoryTableName');
      const quarantine = await output('QuarantineTableName');
      const { createHistoryItems } = await import('../stores/history-items.ts');
      return createHistoryItems(await patientDynamoDb(), { history, quarantine });
    }

    async function sqs() {
      const { SQSClient } = await import('@aws-sdk/client-sqs');
      return new SQSClient(await settings('sqs'));
    }

    /** Connects to Lambda for one call that is not repeated: a repeated registration is a second registration. */
    async function patientLambda() {
      const { LambdaClient } = await import('@aws-sdk/client-lambda');
      const own = await settings('lambda');
      const requestHandler = { ...own.requestHandler, requestTimeout: serviceTimeout };
      return new LambdaClient({ ...own, maxAttempts: 1, requestHandler });
    }

    async function secretsManager() {
      const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
      return new SecretsManagerClient(await settings('secretsManager'));
    }

    return {
      async outputs() {
        // This output explains what is wrong where no pipeline exists.
        await output('WebhookUrl');
        return all();
      },

      sources: async () => sourcesOf(await allOutputs.all()),

      async messageItem(messageId) {
        const tableName = await output('HistoryTableName');
        const { readMessageItem } = await import('../../functions/history/io.ts');
        const { unmarshall } = await import('@aws-sdk/util-dynamodb');
        const client = await dynamoDb();
        const found = await findById(messageId, await chosenSources(), (id) =>
          readMessageItem(client, tableName, id),
        );
        return found && unmarshall(found.value);
      },

      async history() {
        const tableName = await output('HistoryTableName');
        const shards = Number(await output('ListShards'));
        const client = await dynamoDb();
        const { createHistoryLists, createHistoryReader } = await import('../../functions/history/io.ts');
        const reader = createHistoryReader(client, tableName);
        const lists = createHistoryLists(client, tableName, shards);
        return {
          ...lists,
          async send({ sendId, ...query }, page) {
            const found = await findById(sendId, await chosenSources(), async (id) => {
              const { entries } = await lists.send({ sendId: id }, { limit: 1 });
              return entries[0];
            });
            return lists.send({ ...query, sendId: found?.id ?? sendId }, page);
          },
          message: async (text) => (await findById(text, await chosenSources(), reader.message))?.value,
        };
      },

      async counters() {
        const tableName = await output('InsightsTableName');
        if (target.source !== undefined) await chosenSources();
        const { createCounterReads } = await import('../../functions/insights/io.ts');
        const reads = createCounterReads(await dynamoDb(), tableName, Date.now);
        return {
          ...reads,
          send: async (text) => (await findById(text, await chosenSources(), reads.send))?.value,
        };
      },

      async recount(newId) {
        const tables = {
          insights: await output('InsightsTableName'),
          history: await output('HistoryTableName'),
        };
        const retention = {
          retentionDays: Number(await output('InsightsRetentionDays')),
          hourRetentionDays: Number(await output('InsightsHourRetentionDays')),
        };
        const { DynamoDBStreamsClient } = await import('@aws-sdk/client-dynamodb-streams');
        const { createChangeReader, createOldestUncounted } = await import('../stores/history-changes.ts');
        const { createRecountSources } = await import('../stores/recount-sources.ts');
        const client = await patientDynamoDb();
        const streams = new DynamoDBStreamsClient(await settings('dynamoDb'));
        return createRecountSources(client, tables, retention, {
          changes: createChangeReader(client, streams, tables.history, newId),
          oldestUncounted: createOldestUncounted(client, streams, tables.history),
        });
      },

      async optOuts() {
        const tableName = await output('HistoryTableName');
        const { createOptOutAccess } = await import('../stores/opt-outs.ts');
        return createOptOutAccess(await dynamoDb(), tableName, await registerSettings());
      },

      async caller() {
        if (target.local) return { person: undefined, now: undefined };
        const { config } = await dynamoDb();
        const { callerIdentity } = await import('./caller-identity.ts');
        return callerIdentity({
          region: await config.region(),
          credentials: config.credentials,
          fetch: createFetch(environment),
        });
      },

      async quarantine() {
        const tableName = await output('QuarantineTableName');
        const shards = Number(await output('ListShards'));
        const { createQuarantineReader } = await import('../../functions/receive/io.ts');
        return createQuarantineReader(await dynamoDb(), tableName, shards);
      },

      async drift() {
        const tableName = await output('HistoryTableName');
        if (target.source !== undefined) await chosenSources();
        const { createDriftReader } = await import('../stores/history-tables.ts');
        return createDriftReader(await dynamoDb(), tableName);
      },

      async requeue() {
        const tableName = await output('QuarantineTableName');
        const shards = Number(await output('ListShards'));
        const queueUrl = await output('EventsQueueUrl');
        const { createRequeue } = await import('../../functions/receive/io.ts');
        return createRequeue(await dynamoDb(), tableName, shards, await sqs(), queueUrl);
      },

      async deadLetterQueues() {
        // This output explains what is wrong where no pipeline exists.
        await output('DeadLetterQueueUrl');
        const queues = deadLetterQueueNames(await allOutputs.all());
        const client = await sqs();
        const { createDeadLetterQueue } = await import('../stores/dead-letter-queue.ts');
        const { createMoveTasks } = await import('../stores/move-tasks.ts');
        return queues.map((names) => ({
          ...names,
          queue: createDeadLetterQueue(client, names.url),
          ...(target.local || names.source === undefined
            ? {}
            : { tasks: createMoveTasks(client, names.url, names.source.url) }),
        }));
      },

      async historyExport() {
        const tableName = await output('HistoryTableName');
        if (target.source !== undefined) await chosenSources();
        const { createHistoryExport } = await import('../stores/history-tables.ts');
        return createHistoryExport(await dynamoDb(), tableName);
      },

      async historyImport() {
        const tableName = await output('HistoryTableName');
        const retentionDays = Number(await output('RetentionDays'));
        const { createHistoryImport } = await import('../stores/history-import.ts');
        const settings = { ...(await registerSettings()), retentionDays };
        return createHistoryImport(await dynamoDb(), tableName, settings);
      },

      historyItems,

      async historySettings() {
        return {
          ...(await registerSettings()),
          retentionDays: Number(await output('RetentionDays')),
        };
      },

      async copiedTables({ tables, ...place }) {
        const [, , , region] = tables[0]?.split(':') ?? [];
        const { openTables } = await import('../stores/table-copy.ts');
        const client = await patientDynamoDb({ ...(region !== undefined && { region }), ...place });
        return openTables(client, tables);
      },

      async erasureKey() {
        const history = await output('HistoryTableName');
        const { EncryptionKeyArn } = await all();
        const { createErasureKey } = await import('../personal-data/erasure-key.ts');
        return createErasureKey(await secretsManager(), history, EncryptionKeyArn);
      },

      async personalData(clock, onRead = () => {}, onUnsearched = () => {}) {
        const history = await output('HistoryTableName');
        const quarantine = await output('QuarantineTableName');
        const { createPersonalData, indexLagMs } = await import('../personal-data/eraser.ts');
        // DynamoDB Local writes its indexes together with the table.
        const waitMs = target.local ? 0 : indexLagMs;
        const place = { history, quarantine };
        return createPersonalData(await dynamoDb(), place, clock, waitMs, onRead, onUnsearched);
      },

      async waiting() {
        // This output explains what is wrong where no pipeline exists.
        await output('EventsQueueUrl');
        const urls = Object.entries(await allOutputs.all());
        const client = await sqs();
        const { countWaiting } = await import('../stores/dead-letter-queue.ts');
        /** Counts the messages in the queues of this name of all sources. */
        const count = async (name: RegExp) => {
          const own = urls.filter(([output]) => name.test(output));
          const counts = await Promise.all(own.map(([, url]) => countWaiting(client, url)));
          return counts.reduce((sum, one) => sum + one, 0);
        };
        return {
          events: await count(/^(Source\w+)?EventsQueueUrl$/),
          deadLetters: await count(/^(Source\w+)?DeadLetterQueueUrl$/),
        };
      },

      async busRules() {
        const { EventBridgeClient } = await import('@aws-sdk/client-eventbridge');
        const { createBusRules } = await import('./stack/bus-rules.ts');
        const bus = await output('EventBusName');
        return createBusRules(new EventBridgeClient(await settings('eventBridge')), bus);
      },

      async replays() {
        const bus = await output('EventBusName');
        const archive = await output('EventArchiveName').catch((error: unknown) => {
          if (!(error instanceof MissingOutput)) throw error;
          throw new CommandFailure(
            'The event bus has no archive, so nothing can be replayed: set sms:eventArchiveDays to more than 0 and deploy. The archive keeps events that are published from then on.',
          );
        });
        const { EventBridgeClient } = await import('@aws-sdk/client-eventbridge');
        const { createReplayAccess } = await import('./stack/replay-access.ts');
        return createReplayAccess(new EventBridgeClient(await settings('eventBridge')), bus, archive);
      },

      contractHash: () => output('ContractHash'),

      webhookUrl: () => output('WebhookUrl'),

      async queryApi() {
        const url = await output('QueryUrl');
        // A client of the SDK finds profile, region and credentials as every command does.
        const { config } = await dynamoDb();
        return {
          url,
          region: await config.region(),
          credentials: config.credentials,
          fetch: createFetch(environment),
        };
      },

      async webhookSettings() {
        const registration = await output('Registration');
        const overlapHours = await output('SecretOverlapHours');
        return {
          registration: registration === 'off' ? 'off' : 'on',
          overlapMs: Number(overlapHours) * 3_600_000,
        };
      },

      async secretStore() {
        const secretId = await output('WebhookSecretId');
        const { createWebhookSecretStore } = await import('../../functions/registration/io.ts');
        return createWebhookSecretStore(await secretsManager(), secretId);
      },

      async webhookSecret() {
        const secretId = await output('WebhookSecretId');
        const { GetSecretValueCommand } = await import('@aws-sdk/client-secrets-manager');
        const client = await secretsManager();
        try {
          const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
          return readDocument(SecretString);
        } catch (error) {
          // Secrets Manager throws this for a secret without a value too.
          if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
          throw error;
        }
      },

      async captureSwitch() {
        const ingest = await output('IngestFunctionName');
        const { LambdaClient } = await import('@aws-sdk/client-lambda');
        const { createCaptureSwitch } = await import('./stack/capture-switch.ts');
        return createCaptureSwitch(new LambdaClient(await settings('lambda')), ingest);
      },

      async inspection() {
        const { createInspection } = await import('./stack/inspection.ts');
        return createInspection({
          outputs,
          allOutputs,
          local: target.local,
          now: Date.now,
          sqs,
          dynamoDb,
          async sns() {
            const { SNSClient } = await import('@aws-sdk/client-sns');
            return new SNSClient(await settings('sns'));
          },
          async cloudWatch() {
            const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
            return new CloudWatchClient(await settings('cloudWatch'));
          },
          async lambda() {
            const { LambdaClient } = await import('@aws-sdk/client-lambda');
            return new LambdaClient(await settings('lambda'));
          },
        });
      },

      async streamArns() {
        const names = await Promise.all([output('HistoryTableName'), output('QuarantineTableName')]);
        const { DescribeTableCommand } = await import('@aws-sdk/client-dynamodb');
        const client = await dynamoDb();
        const tables = await Promise.all(
          names.map((TableName) => client.send(new DescribeTableCommand({ TableName }))),
        );
        return tables.flatMap(({ Table }) => Table?.LatestStreamArn ?? []);
      },

      async principals() {
        const { IAMClient } = await import('@aws-sdk/client-iam');
        const { createPrincipals } = await import('./stack/principals.ts');
        // IAM answers a few simulations a second.
        const patience = { retryMode: 'adaptive', maxAttempts: 12 };
        return createPrincipals(new IAMClient({ ...(await awsSettings(target, environment)), ...patience }));
      },

      async invokeSetup(payload) {
        const name = await output('SetupFunctionName');
        return invokeSetup(await patientLambda(), name, payload, target);
      },

      async invokeLookups(request) {
        const name = await output('LookupFunctionName');
        return invokeLookups(await patientLambda(), name, request);
      },
    };
  };
}

/**
 * Returns the endpoint of a local service.
 *
 * @param webhookUrl of the pipeline on this machine
 * @param offset of the service's port
 */
export function localEndpoint(webhookUrl: string, offset: number): string {
  const url = URL.canParse(webhookUrl) ? new URL(webhookUrl) : undefined;
  // A parsed URL omits port 80.
  const port = Number(url?.port || (url?.protocol === 'http:' ? 80 : 0));
  if (port === 0)
    throw new CommandFailure(
      'The outputs file names a WebhookUrl without a port. Start the pipeline on this machine with: npm start',
    );
  return `http://127.0.0.1:${port + offset}`;
}

function outputsOf(target: Target, projectDirectory: string, environment: Environment): PipelineOutputs {
  const { local, directory } = target;
  if (local) return localOutputs(resolve(projectDirectory, directory, 'outputs.json'), target);
  return deployedOutputs(async () => {
    if (target.profile !== undefined) await checkProfile(target.profile);
    const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
    return new CloudFormationClient(await awsSettings(target, environment));
  }, target);
}

function readDocument(text = ''): SecretDocument {
  const parsed = parseSecretDocument(parseJson(text));
  if (parsed.kind === 'ok') return parsed.document;
  throw new CommandFailure(
    `The webhook's secret is not in the pipeline's format: ${parsed.problems.join('; ')}`,
  );
}
