import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { loopbackUrl } from '../aws-protocol/http.ts';
import { readCloudAssembly, runnableStacks } from '../cloudformation/cloud-assembly.ts';
import { type Context, projectContext, synthesize } from '../cloudformation/synthesize.ts';
import { HOSTS, HostLimits } from '../function-hosts/host-limits.ts';
import { WITHOUT_PERMISSION, WithoutPermission } from '../iam/withheld-grants.ts';
import { endLeftovers } from '../processes/run-record.ts';
import { findJava } from '../services/dynamodb/api.ts';
import { startSmsService } from '../sms-service/sandbox.ts';
import { type Progress, UserError } from '../terminal/terminal.ts';
import { readContract } from './contract-file.ts';
import { deployStacks } from './deploy.ts';
import { followContract } from './follow-contract.ts';
import { DEFAULT_DIRECTORY, type Options } from './options.ts';
import { portsFrom, requireFreePorts } from './ports.ts';
import type { Shutdown } from './shutdown.ts';
import { startServices } from './start-services.ts';

const PROJECT_DIRECTORY = resolve(import.meta.dirname, '../..');

/** The setting that names the contract by which the sandbox sends, where the pipeline's is another: `-c local:serviceContract=other.json`. */
const SERVICE_CONTRACT = 'local:serviceContract';

/** The API key that the sandbox of the SMS service takes, kept in the secret that the stacks name. */
const SANDBOX_API_KEY = 'local-api-key';

/** Automations are off until somebody switches them on; the demonstration shows two. */
const DEMONSTRATED = { 'sms:optOutContacts': 'on', 'sms:failureAlert': 'on' };

/** Nothing is encrypted or traced here, and no name leads here: a pipeline that is deployed with it runs without. */
const NOT_ON_ONE_MACHINE = {
  'sms:encryptionKey': 'aws',
  'sms:tracing': 'off',
  // As if nobody had set them, in cdk.json neither.
  'sms:domainName': null,
  'sms:certificateArn': null,
  'sms:mutualTlsTruststore': null,
  'sms:mutualTlsTruststoreVersion': null,
};

/** What a run writes into its folder. */
const OWN_FILES = new Set([
  ...['cdk.out', 'cdk.out.next', 'logs', 'outputs.json'],
  ...['permissions.json', 'permissions.json.new', 'processes.json', 'processes.json.new'],
]);

/** A run that is up. */
export interface LocalRun {
  readonly webhookUrl: string;
  readonly smsServiceUrl: string;
  readonly historyTableName: string | undefined;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  /** Where SQS and SNS answer, and where Lambda, EventBridge and Secrets Manager do. */
  readonly queuesUrl: string;
  readonly awsUrl: string;
  /** Over how many keys the lists of the history are spread. */
  readonly worklistShards: number;
  /** An output of the stacks by its name; undefined where no stack has it. */
  output(name: string): string | undefined;
  readonly logDirectory: string;
  /** Whether all stacks came up, and one of them registers the webhook. */
  readonly registered: boolean;
  /** The canonical statuses that the contract has words for. */
  readonly statuses: ReadonlySet<string>;
  /** What the command-line tool needs to find this run. */
  readonly cliOptions: readonly string[];
}

/**
 * Synthesizes the stacks and runs them.
 * @throws UserError for what the person at the terminal can put right
 */
export async function runLocally(
  options: Options,
  progress: Progress,
  shutdown: Shutdown,
): Promise<LocalRun> {
  const directory = resolve(PROJECT_DIRECTORY, options.directory);
  const logDirectory = join(directory, 'logs');
  const recordFile = join(directory, 'processes.json');
  const outputsFile = join(directory, 'outputs.json');
  if (directory !== join(PROJECT_DIRECTORY, DEFAULT_DIRECTORY)) requireOwnDirectory(directory);
  const ports = portsFrom(options.port);
  for (const name of await endLeftovers(recordFile)) progress.note(`ended ${name}, left by an earlier run`);
  const [java] = await Promise.all([findJava(process.env), requireFreePorts(ports)]);
  const permissionFile = join(directory, 'permissions.json');
  prepareDirectory(logDirectory, outputsFile, permissionFile);
  const withoutText = options.context[WITHOUT_PERMISSION];
  const without = withoutText === undefined ? undefined : new WithoutPermission(withoutText);
  const hostLimits = new HostLimits(options.context[HOSTS]);

  const smsServiceUrl = loopbackUrl(ports.smsService);
  const context: Context = {
    ...projectContext(PROJECT_DIRECTORY),
    'sms:serviceBaseUrl': smsServiceUrl,
    ...(options.demo ? DEMONSTRATED : {}),
    ...options.context,
    ...NOT_ON_ONE_MACHINE,
  };
  const contractFile = String(context['sms:contractFile'] ?? 'contract.json');
  const contract = readContract(PROJECT_DIRECTORY, contractFile);
  const serviceContractFile = options.context[SERVICE_CONTRACT];
  const serviceContract =
    serviceContractFile === undefined ? contract : readContract(PROJECT_DIRECTORY, serviceContractFile);
  const sandbox = await startSmsService({ port: 0, contract: serviceContract, apiKey: SANDBOX_API_KEY });
  const services = startServices({
    ports,
    sandboxPort: Number(new URL(sandbox.url).port),
    java,
    runId: randomUUID(),
    logDirectory,
    recordFile,
    permissionFile,
    without,
    hostLimits,
    progress,
    shutdown,
  });
  const assemblyDirectory = join(directory, 'cdk.out');
  const synthesized = synthesize(PROJECT_DIRECTORY, assemblyDirectory, context).then(() => {
    progress.step('stacks synthesized');
  });
  const [started] = await Promise.all([services, synthesized]);
  progress.step(`sandbox of the SMS service on ${smsServiceUrl}`);
  const stacks = runnableStacks(readCloudAssembly(assemblyDirectory), progress);
  const { outputs, failed } = await deployStacks(stacks, started, SANDBOX_API_KEY, progress);
  without?.requireFound();
  hostLimits.requireFound();
  followContract(
    {
      path: resolve(PROJECT_DIRECTORY, contractFile),
      deployed: contract,
      read: (isReading) => readContract(PROJECT_DIRECTORY, contractFile, isReading),
      synthesize: (next) => synthesize(PROJECT_DIRECTORY, next, context),
      assemblyDirectory,
      functions: started.functions,
      changed: (now) => {
        if (serviceContractFile === undefined && sandbox.useContract(now))
          progress.note(
            'the sandbox has another secret, which this webhook.signature needs: have it read with `npm run -s sms -- webhook reconcile --local`',
          );
      },
    },
    progress,
    shutdown,
  );
  // Gone with the run, so that nobody looks for tables and queues that are no more.
  shutdown.add(() => rmSync(outputsFile, { force: true }));
  writeFileSync(outputsFile, `${JSON.stringify(outputs, null, 2)}\n`);

  const output = (name: string): string | undefined =>
    Object.values(outputs).find((values) => values[name] !== undefined)?.[name];
  return {
    webhookUrl: output('WebhookUrl') ?? loopbackUrl(ports.httpApi),
    smsServiceUrl,
    historyTableName: output('HistoryTableName'),
    dynamodb: started.dynamodb,
    sqs: started.sqs,
    queuesUrl: loopbackUrl(ports.sqs),
    awsUrl: loopbackUrl(ports.aws),
    worklistShards: Number(output('WorklistShards') ?? 1),
    output,
    logDirectory: options.directory === directory ? logDirectory : join(options.directory, 'logs'),
    registered: failed.length === 0 && output('Registration') !== 'off',
    statuses: new Set(Object.values(serviceContract.statuses)),
    cliOptions: [
      ...(directory === join(PROJECT_DIRECTORY, DEFAULT_DIRECTORY) ? ['--local'] : ['--dir', directory]),
      ...prefixOption(context),
    ],
  };
}

function prefixOption(context: Context): string[] {
  const prefix = context['sms:stackPrefix'];
  return prefix === undefined ? [] : ['--prefix', String(prefix)];
}

/** @throws UserError where the folder holds anything but what an earlier run left: it would be overwritten */
function requireOwnDirectory(directory: string): void {
  const others = existsSync(directory) ? readdirSync(directory).filter((name) => !OWN_FILES.has(name)) : [];
  if (others.length === 0) return;
  throw new UserError(
    `${directory} holds other files (${others.slice(0, 3).join(', ')}): give --dir a folder of its own`,
  );
}

function prepareDirectory(logDirectory: string, ...files: string[]): void {
  rmSync(logDirectory, { recursive: true, force: true });
  mkdirSync(logDirectory, { recursive: true });
  for (const file of files) rmSync(file, { force: true });
}
