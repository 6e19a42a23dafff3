import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Connection } from '../../cli/target/connection.ts';
import { describeStack } from '../../cli/target/stack/outputs.ts';
import { type Sandbox, sandboxAt } from '../engine/sandbox.ts';
import { functionsIn } from '../support/deployed-function.ts';
import { OptionError } from '../support/run-script.ts';
import { type CommandOutcome, connectToPipeline, runSms } from '../support/sms-command.ts';
import { type AwsFigures, readAwsFigures } from './aws-figures.ts';
import { cdkDeploy, outputsFile } from './cdk-deploy.ts';
import { type Account, destroy, stacksOf } from './destroy.ts';
import { viewerUrl } from './emulator.ts';
import { whileDeployed } from './while-deployed.ts';

/** A deployed pipeline, on AWS or in the emulator. The scenario cannot see which. */
export interface Site {
  /** By output name, of both stacks. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly connection: Connection;
  readonly dynamoDb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly lambda: LambdaClient;
  /** The service, if it is the sandbox. */
  readonly sandbox: Sandbox | undefined;
  /** The address of the console as this process reaches it. */
  readonly consoleUrl: string | undefined;
  /** MiB, by function. */
  readonly memory: Readonly<Record<string, number>>;
  /** How long nothing may get better, in milliseconds. */
  readonly patienceMs: number;
  /** The pause between two looks, and between two replays, in milliseconds. */
  readonly pauseMs: number;
  readonly replayEveryMs: number;
  /** Runs the command-line tool against it. */
  sms(...args: string[]): Promise<CommandOutcome>;
  /** Returns what was used up since the deployment. */
  figures(): Promise<AwsFigures>;
}

type Say = (line: string) => void;

const outputsSchema = z.record(z.string(), z.record(z.string(), z.string()));

/** Reads the file of `cdk deploy --outputs-file`. */
function outputsIn(directory: string): Record<string, string> {
  const stacks = outputsSchema.parse(JSON.parse(readFileSync(outputsFile(directory), 'utf8')));
  return Object.assign({}, ...Object.values(stacks));
}

function siteIn(directory: string, stackName: string, region: string) {
  return {
    outputs: outputsIn(directory),
    connection: connectToPipeline({ local: false, directory, stack: stackName }),
    dynamoDb: new DynamoDBClient({ region }),
    sqs: new SQSClient({ region }),
    lambda: new LambdaClient({ region }),
    memory: Object.fromEntries(
      [...functionsIn(join(directory, 'cdk.out'))].map(([name, { memoryMiB }]) => [name, memoryMiB]),
    ),
    sms: (...args: string[]) => runSms([...args, '--stack', stackName]),
  };
}

/** The stack of `cdk bootstrap`, which every deployment needs. Its ARN also says which account the credentials are of. */
const bootstrapStack = 'CDKToolkit';

/** @returns the account's number. @throws OptionError for a region without the CDK's bootstrap stack */
export async function readAccountId(region: string): Promise<string> {
  const stack = await describeStack(new CloudFormationClient({ region }), bootstrapStack);
  const id = stack?.StackId?.split(':')[4];
  if (id !== undefined) return id;
  throw new OptionError(
    `${region} has no stack ${bootstrapStack}: run npx cdk bootstrap in this account and region`,
  );
}

/** Returns clients for the services of a region. */
export function accountIn(region: string): Account {
  return {
    cloudFormation: new CloudFormationClient({ region }),
    dynamoDb: new DynamoDBClient({ region }),
    secretsManager: new SecretsManagerClient({ region }),
    s3: new S3Client({ region }),
    logs: new CloudWatchLogsClient({ region }),
    kms: new KMSClient({ region }),
  };
}

/** Destroys what a run made. @returns what is left */
export async function destroyIn(region: string, stackName: string, say: Say): Promise<readonly string[]> {
  say(`destroying ${stackName} in ${region}`);
  const left = await destroy(accountIn(region), stackName, say);
  if (left.length > 0)
    say(`Not destroyed; run npm run acceptance -- --yes --destroy ${stackName}\n  ${left.join('\n  ')}`);
  return left;
}

/** How long nothing may get better in an AWS account and in the emulator, and the pauses between two looks and two replays. */
const waits = {
  aws: { patienceMs: 1_200_000, pauseMs: 3_000, replayEveryMs: 120_000 },
  emulator: { patienceMs: 240_000, pauseMs: 200, replayEveryMs: 5_000 },
};

export interface Place {
  readonly stackName: string;
  readonly region: string;
  readonly directory: string;
  readonly target: keyof typeof waits;
  readonly sandboxUrl: string | undefined;
}

/** Deploys the pipeline for as long as it is used, and destroys it on every way out. */
export async function inAccount<T>(
  { stackName, region, directory, target, sandboxUrl }: Place,
  context: Readonly<Record<string, string>>,
  say: Say,
  use: (site: Site) => Promise<T>,
): Promise<{ readonly result: T; readonly left: readonly string[] }> {
  const deploy = async (signal: AbortSignal): Promise<Site> => {
    await cdkDeploy({ appFile: 'tools/acceptance/app.ts', directory, region, context }, signal);
    const site = siteIn(directory, stackName, region);
    const { cloudFormation } = accountIn(region);
    const figures = async () => {
      if (target === 'emulator') throw new Error('the emulator measures nothing');
      return await readAwsFigures(cloudFormation, region, stacksOf(stackName));
    };
    const { ConsoleUrl } = site.outputs;
    return {
      ...site,
      ...waits[target],
      figures,
      sandbox: sandboxUrl === undefined ? undefined : sandboxAt(sandboxUrl),
      consoleUrl: ConsoleUrl === undefined || target === 'aws' ? ConsoleUrl : viewerUrl(ConsoleUrl),
    };
  };
  const left: string[] = [];
  const destroyed = async () => void left.push(...(await destroyIn(region, stackName, say)));
  const result = await whileDeployed({ deploy, use, destroy: destroyed }, say);
  return { result, left };
}
