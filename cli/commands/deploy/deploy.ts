import { formatCount, omitUndefined } from '../../../functions/base/basics.ts';
import { chooseTarget, type TargetSources } from '../../target/choose-target.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, explainError } from '../../target/errors.ts';
import { sanitizeLines } from '../../text/sanitize.ts';
import { type CdkTarget, readDeployArguments } from './arguments.ts';
import {
  alarmTopicsOf,
  type LostBackups,
  lostBackups,
  type Removal,
  removalsOf,
  type SourceChanges,
  silencedAlarms,
  sourceChanges,
} from './compare-stacks.ts';
import type { DeployedStack, PlannedStack, ReadDeployedStack } from './stacks.ts';

/** The account that is deployed to. */
export interface DeployedAccount {
  readonly stack: ReadDeployedStack;
  readonly region: () => Promise<string>;
  /** Returns the approximate number of messages that wait, are in flight or delayed; 0 for a deleted queue. */
  readonly messagesIn: (queueUrl: string) => Promise<number>;
  /**
   * Takes the termination protection from a stack whose first deployment failed, which holds nothing that it does not retain. The CDK could not
   * delete it otherwise, which it does before it deploys again.
   *
   * @returns whether there was such a stack
   */
  readonly unprotectFailed: (stack: string) => Promise<boolean>;
  /** Returns the id of a topic's encryption key; undefined for an unencrypted topic. */
  readonly keyOfTopic: (topicArn: string) => Promise<string | undefined>;
}

export interface DeployParts {
  readonly terminal: Pick<Context['terminal'], 'out' | 'err' | 'ask'>;
  /** Runs the CDK's command line, with this process's terminal, and returns its exit code. */
  readonly runCdk: (args: readonly string[]) => Promise<number>;
  readonly readPlanned: (directory: string) => Promise<readonly PlannedStack[]>;
  /** Returns the profile and the region that the CDK uses if the arguments name none. */
  readonly readDefaults: () => Promise<CdkTarget>;
  /** What names the pipeline of the commands in this folder; its account and region are deployed to. */
  readonly sources: TargetSources;
  readonly account: (target: CdkTarget) => DeployedAccount;
  /** The folder that the CDK synthesizes to and deploys from. */
  readonly outputDirectory: string;
}

const permissions =
  'The comparison needs cloudformation:ListStackResources, cloudformation:DescribeStacks, cloudformation:GetTemplate, sqs:GetQueueAttributes and sns:GetTopicAttributes; after a first deployment that failed, also cloudformation:UpdateTerminationProtection. npx cdk deploy --all deploys without it.';

/** Where settings are kept. */
const settingsFile = 'cdk.context.json of a clone, or else into "context" in cdk.json';

/** The advice for a user without an AWS account. */
const noCredentials =
  'npm run deploy compares with what is deployed before it changes anything; npx cdk synth -q needs no AWS account.';

/**
 * Deploys after a confirmation of what would be lost.
 *
 * @param args the arguments after `npm run deploy --`
 * @returns the exit code of the CDK, or 1 if nothing was deployed
 */
export async function deploy(args: readonly string[], parts: DeployParts): Promise<number> {
  const { terminal, outputDirectory, runCdk } = parts;
  const options = readDeployArguments(args);
  let chosen: CdkTarget;
  try {
    const defaults = await parts.readDefaults();
    chosen = chooseCdkTarget(options, parts.sources, defaults);
    const target = { ...defaults, ...chosen };
    const synthesized = await runCdk([
      'synth',
      '--quiet',
      '--output',
      outputDirectory,
      ...options.context,
      ...(target.profile === undefined ? [] : ['--profile', target.profile]),
      ...(target.region === undefined ? [] : ['--region', target.region]),
    ]);
    if (synthesized !== 0) return synthesized;
    const planned = await parts.readPlanned(outputDirectory);
    const account = parts.account(target);
    await refuseSilentTopics(planned, account, terminal.err);
    const pairs = await readDeployed(planned, account);
    terminal.out(
      sanitizeLines(await describeComparison(pairs, planned.length, target, account)).concat('\n'),
    );
    await confirm(await lossesOf(pairs, account), options.yes, terminal);
    for (const { name } of planned)
      if (await account.unprotectFailed(name))
        terminal.out(
          `The first deployment of ${name} failed. The CDK deletes what it left, and deploys again.\n`,
        );
  } catch (error) {
    const known = error instanceof CommandFailure ? error.message : explainError(error, noCredentials);
    if (known === undefined) throw error;
    const isDenied = error instanceof Error && /^AccessDenied/.test(error.name);
    terminal.err(`error: ${sanitizeLines(known)}\n${isDenied ? `${permissions}\n` : ''}`);
    return 1;
  }
  // The CDK deploys the synthesized templates that were compared.
  return await runCdk([
    'deploy',
    '--all',
    '--app',
    outputDirectory,
    ...cdkNames.flatMap((name) =>
      options[name] === undefined && chosen[name] !== undefined ? [`--${name}`, chosen[name]] : [],
    ),
    ...args,
  ]);
}

const cdkNames = ['profile', 'region'] as const;

/**
 * Returns the profile and the region that the arguments, SMS_TARGET or .smsrc name.
 *
 * @throws CommandFailure if the CDK's own files or AWS_PROFILE contradict SMS_TARGET or .smsrc, and no argument decides
 */
function chooseCdkTarget(
  args: CdkTarget,
  { project: _, ...sources }: TargetSources,
  defaults: CdkTarget,
): CdkTarget {
  const given = omitUndefined({ profile: args.profile, region: args.region });
  const { profile, region } = chooseTarget({ local: false, ...given }, sources).target;
  const chosen = omitUndefined({ profile, region });
  for (const name of cdkNames) {
    const [named, own] = [chosen[name], defaults[name]];
    if (given[name] === undefined && named !== undefined && own !== undefined && named !== own)
      throw new CommandFailure(
        `Nothing was deployed: ${sources.named?.from} names the ${name} ${named}, and the CDK (CDK_${name.toUpperCase()} or cdk.json) the ${name} ${own}. Add --${name} ${named} or --${name} ${own}.`,
      );
  }
  return chosen;
}

/** A stack before and after the deployment. */
interface StackPair {
  readonly planned: PlannedStack;
  readonly deployed: DeployedStack;
}

/** Reads the stacks that are deployed; leaves out those that are not. */
async function readDeployed(
  planned: readonly PlannedStack[],
  account: DeployedAccount,
): Promise<StackPair[]> {
  const read = await Promise.all(
    planned.map(async (stack) => ({ planned: stack, deployed: await account.stack(stack.name) })),
  );
  return read.flatMap(({ planned: stack, deployed }) =>
    deployed === undefined ? [] : [{ planned: stack, deployed }],
  );
}

/** Describes the compared account and region, because a wrong one has no stacks and raises no question. */
async function describeComparison(
  [first, ...others]: readonly StackPair[],
  planned: number,
  { profile }: CdkTarget,
  account: DeployedAccount,
): Promise<string> {
  if (first === undefined) {
    const credentials =
      profile === undefined ? 'the default credentials' : `the credentials of profile ${profile}`;
    return `No stack of this app is deployed in ${await account.region()} with ${credentials}: this is a first deployment.`;
  }
  // arn:<partition>:cloudformation:<region>:<account>:stack/<name>/<id>
  const [, , , region, accountId] = first.deployed.arn.split(':');
  const count = 1 + others.length;
  return `Compared with account ${accountId}, region ${region}: ${count} of ${formatCount(planned, 'stack')} ${planned === 1 ? 'is' : 'are'} deployed.`;
}

/** Sentences about what is lost, what is only removed, and what is to be done after the deployment. */
interface Losses {
  readonly lost: readonly string[];
  readonly removed: readonly string[];
  readonly toDo: readonly string[];
}

async function lossesOf(pairs: readonly StackPair[], account: DeployedAccount): Promise<Losses> {
  const removals = pairs.flatMap(({ planned: stack, deployed }) => removalsOf(stack, deployed));
  const described = await Promise.all(removals.map((removal) => describe(removal, account)));
  const changes = pairs.flatMap(({ planned: stack, deployed }) => sourceChanges(stack, deployed));
  const { topics, count } = silencedAlarms(pairs);
  const silenced =
    count === 0
      ? []
      : [
          `${formatCount(count, 'alarm')} would no longer notify a topic (now ${topics.join(', ')}): put sms:alarmTopicArn into ${settingsFile}.`,
        ];
  return {
    lost: [
      ...silenced,
      ...changes.flatMap(describeRemovedSources),
      ...pairs
        .flatMap(({ planned: stack, deployed }) => lostBackups(stack, deployed))
        .map(describeLostBackups),
      ...described.filter(({ isLost }) => isLost).map(({ text }) => text),
    ],
    removed: described.filter(({ isLost }) => !isLost).map(({ text }) => text),
    toDo: changes.flatMap(describeAddedSources),
  };
}

function describeRemovedSources({ stack, added, removed }: SourceChanges): string[] {
  const another = added.length === 0 ? '' : ` The new name ${added.join(', ')} is another source.`;
  return removed.map(
    (name) =>
      `${stack}: the source ${name}. Its address answers no longer: first remove the webhook at the provider. Its messages stay until they expire, but are no longer found by their ids.${another}`,
  );
}

function describeAddedSources({ added }: SourceChanges): string[] {
  return added.map(
    (name) =>
      `the source ${name} has an address and a secret of its own: sms doctor --source ${name} says what is missing (docs/guides/several-sources.md).`,
  );
}

function describeLostBackups({ stack, table, days: { before, after } }: LostBackups): string {
  const left =
    after === 0 ? 'all backups of the last' : `the backups before the last ${formatCount(after, 'day')}, of`;
  return `${stack}: ${left} ${formatCount(before, 'day')} of the table ${table}: put sms:recoveryDays into ${settingsFile}.`;
}

async function describe(
  removal: Removal,
  account: DeployedAccount,
): Promise<{ readonly text: string; readonly isLost: boolean }> {
  const { stack } = removal;
  if (removal.kind === 'resource')
    return { isLost: true, text: `${stack}: ${removal.what} (${removal.physicalId}).` };
  const messages = await account.messagesIn(removal.queueUrl);
  const name = removal.queueUrl.split('/').at(-1);
  return messages === 0
    ? { isLost: false, text: `${stack}: the empty queue ${name}.` }
    : { isLost: true, text: `${stack}: the queue ${name} with about ${formatCount(messages, 'message')}.` };
}

async function confirm(
  { lost, removed, toDo }: Losses,
  yes: boolean,
  { out, ask }: DeployParts['terminal'],
): Promise<void> {
  if (removed.length > 0) out(lines('This deployment removes', removed));
  if (toDo.length > 0) out(lines('After this deployment', toDo));
  if (lost.length === 0) return;
  out(lines('This deployment loses', lost));
  if (yes) return;
  const advice = `A setting that is passed with -c applies to one deployment only: put settings into ${settingsFile} (docs/start/deploy.md, "The settings file").`;
  if (ask === undefined)
    throw new CommandFailure(
      `Nothing was deployed: the deployment needs a confirmation, and there is no terminal. ${advice} To confirm it, add --yes: npm run deploy -- --yes.`,
    );
  const answer = await ask('Deploy anyway? Type yes: ');
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure(`Nothing was deployed. ${advice}`);
}

function lines(heading: string, sentences: readonly string[]): string {
  return sanitizeLines(`${heading}:\n${sentences.map((sentence) => `  - ${sentence}`).join('\n')}`).concat(
    '\n',
  );
}

/** @throws CommandFailure if alarms notify a topic that CloudWatch cannot publish to */
async function refuseSilentTopics(
  planned: readonly PlannedStack[],
  { keyOfTopic }: DeployedAccount,
  err: (text: string) => void,
): Promise<void> {
  for (const topic of alarmTopicsOf(planned)) {
    const key = await keyOfTopic(topic).catch((error: unknown) => {
      if (!mayBeUnreadable(error)) throw error;
      err(
        `warning: the alarm topic ${topic} cannot be read (${error.name}): test it as described in docs/start/deploy.md, "The alarm topic".\n`,
      );
      return undefined;
    });
    if (key?.endsWith('alias/aws/sns') === true)
      throw new CommandFailure(
        `Nothing was deployed: the alarm topic ${topic} is encrypted with alias/aws/sns, which CloudWatch may not use, so no alarm would notify it. Remove the encryption, or use a key of your own (docs/start/deploy.md, "The alarm topic").`,
      );
  }
}

/** Returns whether the topic may belong to another account or be gone. The deployment itself does not fail on it. */
function mayBeUnreadable(error: unknown): error is Error {
  return error instanceof Error && /^(AuthorizationError|NotFound|InvalidParameter)/.test(error.name);
}
