import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { pathOfContract } from '../../contract/document/contract-file-store.ts';
import { ForeignFileError, requireOwner, requireOwnFolder } from '../../contract/document/own-file-store.ts';
import { type Context, projectContext, projectFolder } from '../../contract/document/project-store.ts';
import { contractHash } from '../../contract/events/body.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import { loopbackUrl } from '../aws-protocol/http.ts';
import { readCloudAssembly, stagesOf } from '../cloudformation/cloud-assembly.ts';
import { synthesize } from '../cloudformation/synthesize.ts';
import { endLeftovers } from '../processes/run-record.ts';
import { findJava } from '../services/dynamodb/api.ts';
import { startSmsService } from '../sms-service/sandbox.ts';
import { type Progress, UserError } from '../terminal/terminal.ts';
import { completeContract } from './completed-contract.ts';
import { readContract } from './contract-file.ts';
import { deployStacks } from './deploy.ts';
import { followContract } from './follow-contract.ts';
import { DEFAULT_DIRECTORY, type Options } from './options.ts';
import { pipelinesIn, refuseDomains, requirePipeline, withLocalPort } from './pipelines.ts';
import { portsFrom, requireFreePorts } from './ports.ts';
import type { Shutdown } from './shutdown.ts';
import { startSources } from './sources.ts';
import { startServices } from './start-services.ts';

/** The setting that names another contract for the sandbox than the pipeline's: `-c local:serviceContract=other.json`. */
const SERVICE_CONTRACT = 'local:serviceContract';

/** The API key of the sandbox. It is stored in the secret that the stacks name. */
const SANDBOX_API_KEY = 'local-api-key';

/** The settings of the demonstration, which switch two automations on. */
const DEMO_SETTINGS = { 'sms:optOutContacts': 'on', 'sms:failureAlert': 'on' };

/** The settings of the sample: requests with a wrong signature are kept, so that the quarantine shows some, and large batches fill the tables sooner. */
const SAMPLE_SETTINGS = { 'sms:parkUnverified': 'always', 'sms:workerBatchSize': 30 };

/** Settings without effect on one machine, which has no encryption keys, traces, domain names, exports to S3 or Athena. */
const NOT_ON_ONE_MACHINE = {
  'sms:encryptionKey': 'aws',
  'sms:tracing': 'off',
  'sms:exportToS3': 'off',
  // null removes settings of cdk.json too.
  'sms:domainName': null,
  'sms:certificateArn': null,
  'sms:mutualTlsTruststore': null,
  'sms:mutualTlsTruststoreVersion': null,
};

/** The files that a run writes into its folder. */
const OWN_FILES = new Set([
  'cdk.out',
  'cdk.out.next',
  'inline',
  'logs',
  'outputs.json',
  'sources',
  'tables',
  'completed-contract.json',
  'permissions.json',
  'permissions.json.new',
  'processes.json',
  'processes.json.new',
]);

/** A running local run. */
export interface LocalRun {
  readonly webhookUrl: string;
  readonly smsServiceUrl: string;
  readonly historyTableName: string | undefined;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  /** The endpoint of SQS and SNS. */
  readonly queuesUrl: string;
  /** The endpoint of Lambda, EventBridge and Secrets Manager. */
  readonly awsUrl: string;
  /** The number of keys over which the lists of the history are spread. */
  readonly listShards: number;
  /** An output of the stack by its name, if it has it. */
  output(name: string): string | undefined;
  readonly logDirectory: string;
  /** Whether the stack was deployed and registers the webhook. */
  readonly registered: boolean;
  /** Whether the messages of sends are counted. */
  readonly hasInsights: boolean;
  /** The contract that the sandbox of the SMS service follows. */
  readonly contract: Contract;
  /** The file of that contract, if it is not the project's. */
  readonly contractFile: string | undefined;
  /** The folder of the tables, if they are kept. */
  readonly tablesDirectory: string | undefined;
  /** The canonical statuses that the contract has words for. */
  readonly statuses: ReadonlySet<string>;
  /** The options by which the command-line tool finds this run. */
  readonly cliOptions: readonly string[];
  /** Ends a further process with this run, however the run ends. */
  readonly watchProcess: (name: string, pid: number) => void;
}

/**
 * Synthesizes the stacks and runs them.
 * @throws UserError for problems that the user can fix
 */
export async function runLocally(
  options: Options,
  progress: Progress,
  shutdown: Shutdown,
): Promise<LocalRun> {
  const directory = resolve(projectFolder, options.directory);
  const logDirectory = join(directory, 'logs');
  const recordFile = join(directory, 'processes.json');
  const outputsFile = join(directory, 'outputs.json');
  const isDefault = directory === join(projectFolder, DEFAULT_DIRECTORY);
  requireOwnDirectory(directory, isDefault);
  if (!isDefault) requireNoOtherFiles(directory);
  const ports = portsFrom(options.port);
  for (const name of await endLeftovers(recordFile)) progress.note(`ended ${name}, left by an earlier run`);
  const [java] = await Promise.all([findJava(process.env), requireFreePorts(ports)]);
  const permissionFile = join(directory, 'permissions.json');
  const tablesDirectory = options.keep ? join(directory, 'tables') : undefined;
  prepareDirectory(logDirectory, outputsFile, permissionFile);

  const smsServiceUrl = loopbackUrl(ports.smsService);
  const context: Context = {
    ...projectContext(),
    // The sandbox has the API that a service of registration "off" lacks.
    'sms:registration': 'on',
    'sms:serviceBaseUrl': smsServiceUrl,
    ...(options.demo ? DEMO_SETTINGS : {}),
    ...(options.sample ? SAMPLE_SETTINGS : {}),
    ...options.context,
    ...NOT_ON_ONE_MACHINE,
  };
  const projectContractFile = pathOfContract(String(context['sms:contractFile'] ?? 'contract.json'));
  if (!existsSync(resolve(projectFolder, projectContractFile)))
    throw new UserError(
      `There is no contract ${projectContractFile} in ${projectFolder}. If the app has another one, name the file or the preset: -c sms:contractFile=twilio`,
    );
  const completedContract = completeContract(
    { folder: projectFolder, directory, sample: options.sample },
    projectContractFile,
  );
  const contractFile = completedContract ?? projectContractFile;
  const sources = await startSources(
    context,
    { folder: projectFolder, directory, port: options.port, apiKey: SANDBOX_API_KEY },
    progress,
  );
  const synthesisContext = {
    ...context,
    ...omitUndefined({ 'sms:contractFile': completedContract }),
    ...sources,
  };
  const contract = readContract(projectFolder, contractFile);
  const serviceContractFile = options.context[SERVICE_CONTRACT];
  const serviceContract =
    serviceContractFile === undefined ? contract : readContract(projectFolder, serviceContractFile);
  const sandbox = await startSmsService({ port: 0, contract: serviceContract, apiKey: SANDBOX_API_KEY });
  const services = startServices({
    ports,
    sandboxPort: Number(new URL(sandbox.url).port),
    tablesDirectory,
    java,
    runId: randomUUID(),
    logDirectory,
    recordFile,
    permissionFile,
    progress,
    shutdown,
  });
  const assemblyDirectory = join(directory, 'cdk.out');
  const synthesized = synthesize(projectFolder, assemblyDirectory, synthesisContext).then(() => {
    progress.step('stacks synthesized');
  });
  const [started] = await Promise.all([services, synthesized]);
  progress.step(`sandbox of the SMS service on ${smsServiceUrl}`);
  const stages = stagesOf(assemblyDirectory);
  const stacks = readCloudAssembly(assemblyDirectory);
  requirePipeline(stacks, stages);
  refuseDomains(stacks);
  for (const stage of stages)
    progress.note(
      `stage ${stage} is skipped: one machine runs the stacks that are directly in the app. Give another app, without stages: -c local:app='node local-app.ts'`,
    );
  const deployed = await deployStacks(stacks, started, SANDBOX_API_KEY, progress);
  const outputs = withLocalPort(deployed.outputs, options.port);
  /** Writes the outputs as a deployment with this contract would. */
  const writeOutputs = (now: Contract) => {
    for (const values of Object.values(outputs))
      if ('ContractHash' in values) Object.assign(values, { ContractHash: contractHash(now) });
    // Commands refuse a file that other users can write.
    writeFileSync(outputsFile, `${JSON.stringify(outputs, null, 2)}\n`, { mode: 0o600 });
  };
  followContract(
    {
      path: resolve(projectFolder, contractFile),
      deployed: contract,
      read: (isReading) => readContract(projectFolder, contractFile, isReading),
      synthesize: (next) => synthesize(projectFolder, next, synthesisContext),
      assemblyDirectory,
      functions: started.functions,
      changed: (now) => {
        if (serviceContractFile === undefined && sandbox.useContract(now))
          progress.note(
            'the sandbox has a new secret for this webhook.signature: read it with `sms webhook reconcile --local`',
          );
        writeOutputs(now);
      },
    },
    progress,
    shutdown,
  );
  // The file is removed with the run, because its tables and queues no longer exist then.
  shutdown.add(() => rmSync(outputsFile, { force: true }));
  writeOutputs(contract);

  const runOptions =
    directory === join(projectFolder, DEFAULT_DIRECTORY) ? ['--local'] : ['--dir', directory];
  const [pipeline, ...others] = pipelinesIn(outputs);
  for (const { stack, options: ofStack } of others)
    progress.note(
      `the pipeline ${stack} has its own webhook, and the sandbox sends to the one that was registered last. Its commands: sms outputs ${[...runOptions, ...ofStack].join(' ')}`,
    );
  const all = Object.values(outputs).flatMap((values) => Object.entries(values));
  const output = (name: string): string | undefined => {
    // In a stack of the app's own, an output is named for the path of its construct: SmsWebhookUrl1A2B3C4D.
    const ofConstruct = new RegExp(`${name}[0-9A-F]{8}$`);
    const found = all.find(([key]) => key === name) ?? all.find(([key]) => ofConstruct.test(key));
    return found?.[1];
  };
  return {
    webhookUrl: output('WebhookUrl') ?? loopbackUrl(ports.httpApi),
    smsServiceUrl,
    historyTableName: output('HistoryTableName'),
    dynamodb: started.dynamodb,
    sqs: started.sqs,
    queuesUrl: loopbackUrl(ports.sqs),
    awsUrl: loopbackUrl(ports.aws),
    watchProcess: started.watchProcess,
    listShards: Number(output('ListShards') ?? 1),
    output,
    logDirectory: options.directory === directory ? logDirectory : join(options.directory, 'logs'),
    registered: deployed.failed.length === 0 && output('Registration') !== 'off',
    hasInsights: context['sms:insights'] !== 'off',
    contract: serviceContract,
    contractFile: completedContract,
    tablesDirectory,
    statuses: new Set(Object.values(serviceContract.statuses)),
    cliOptions: [...runOptions, ...(pipeline?.options ?? [])],
  };
}

/**
 * Makes the folder if it does not exist. A run executes the code in it, and ends the processes that it names.
 *
 * @param isInProject whether the folder is as trusted as the project that the user works in
 * @throws UserError if another user can decide about the folder, or about a file in it, and if there is no folder
 */
function requireOwnDirectory(directory: string, isInProject: boolean): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!isInProject) requireOwnFolder(directory);
    for (const path of [directory, ...readdirSync(directory).map((name) => join(directory, name))])
      requireOwner(path, lstatSync(path));
  } catch (error) {
    if (error instanceof ForeignFileError)
      throw new UserError(`${error.message}: give --dir a new folder, in one that only you can write`);
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new UserError(`${directory} cannot be used as a folder (${code}): give --dir another one`);
  }
}

/** @throws UserError if the folder contains files that no run wrote */
function requireNoOtherFiles(directory: string): void {
  const others = readdirSync(directory).filter((name) => !OWN_FILES.has(name));
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
