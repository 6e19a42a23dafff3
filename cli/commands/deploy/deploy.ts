import { formatCount, omitUndefined } from '../../../functions/base/basics.ts';
import { chooseTarget, type TargetSources } from '../../target/choose-target.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, explainError } from '../../target/errors.ts';
import { shellQuoted } from '../../text/format.ts';
import { sanitizeLines } from '../../text/sanitize.ts';
import { type CdkTarget, readDeployArguments } from './arguments.ts';
import {
  alarmTopicsOf,
  fewerShards,
  joinsOptOuts,
  type LostBackups,
  type LostCheck,
  type LostProtection,
  lostBackups,
  lostChecks,
  lostProtections,
  type Removal,
  removalsOf,
  type ShorterRetention,
  type SourceChanges,
  shorterRetentions,
  silencedAlarms,
  sourceChanges,
} from './compare-stacks.ts';
import { accountsOf, readPairs, refuseOtherAccounts, type StackPair } from './stack-pairs.ts';
import { nestedIn, type PlannedStack, type ReadDeployedStack } from './stacks.ts';

/** The account that is deployed to. */
export interface DeployedAccount {
  /** Returns the number of the account; undefined if AWS does not answer. */
  readonly id: () => Promise<string | undefined>;
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
    if (planned.length === 0)
      throw new CommandFailure(
        "Nothing was deployed: the app has no stack outside of a Stage, and cdk deploy --all deploys no others. npx cdk deploy '**' deploys those of stages, without a comparison.",
      );
    const accountOf = accountsOf(target, parts.account);
    await refuseOtherAccounts(planned, accountOf);
    for (const stack of planned) await refuseSilentTopics(stack, accountOf(stack), terminal.err);
    const { top, all } = await readPairs(planned, accountOf);
    terminal.out(sanitizeLines(await describeComparison(top, planned, target, accountOf)).concat('\n'));
    refuseFewerShards(all);
    await confirm(await lossesOf(all), options.yes, terminal);
    for (const stack of planned)
      if (await accountOf(stack).unprotectFailed(stack.name))
        terminal.out(
          `The first deployment of ${stack.name} failed. The CDK deletes what it left, and deploys again.\n`,
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
        `Nothing was deployed: ${sources.named?.from} names the ${name} ${named}, and the CDK (CDK_${name.toUpperCase()} or cdk.json) the ${name} ${own}. Add --${name} ${shellQuoted(named)} or --${name} ${shellQuoted(own)}.`,
      );
  }
  return chosen;
}

/** Describes the compared account and region, because a wrong one has no stacks and raises no question. */
async function describeComparison(
  deployed: readonly StackPair[],
  planned: readonly PlannedStack[],
  { profile }: CdkTarget,
  accountOf: (stack: PlannedStack) => DeployedAccount,
): Promise<string> {
  if (deployed.length === 0) {
    const credentials =
      profile === undefined ? 'the default credentials' : `the credentials of profile ${profile}`;
    const regions = await Promise.all(planned.map((stack) => accountOf(stack).region()));
    return `No stack of this app is deployed in ${[...new Set(regions)].join(' or ')} with ${credentials}: this is a first deployment.`;
  }
  // arn:<partition>:cloudformation:<region>:<account>:stack/<name>/<id>
  const places = deployed.map(({ deployed: { arn } }) => arn.split(':'));
  const accounts = new Set(places.map(([, , , , account]) => account));
  const regions = new Set(places.map(([, , , region]) => region));
  return `Compared with account ${[...accounts].join(' and ')}, region ${[...regions].join(' and ')}: ${deployed.length} of ${formatCount(planned.length, 'stack')} ${planned.length === 1 ? 'is' : 'are'} deployed.`;
}

/** @throws CommandFailure if lists would find a part of their entries only */
function refuseFewerShards(pairs: readonly StackPair[]): void {
  for (const { planned, deployed } of pairs)
    for (const { before, after } of fewerShards(planned, deployed))
      throw new CommandFailure(
        `Nothing was deployed: listShards (sms:listShards) would fall from ${before} to ${after} in ${planned.name}, and lists would leave out entries that are stored, also those of people who opted out. Set it to ${before} or more.`,
      );
}

/** Sentences about what is lost, what is only removed, and what is to be done after the deployment. */
interface Losses {
  readonly lost: readonly string[];
  readonly removed: readonly string[];
  readonly toDo: readonly string[];
}

async function lossesOf(pairs: readonly StackPair[]): Promise<Losses> {
  const described = await Promise.all(
    pairs.flatMap(({ planned: stack, deployed, account }) =>
      removalsOf(stack, deployed).map((removal) => describe(removal, account)),
    ),
  );
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
      ...pairs.flatMap(({ planned: stack, deployed }) =>
        joinsOptOuts(stack, deployed)
          ? [
              `${stack.name}: opt-outs by source. They would count for all sources again, so a START at one source takes a person back in for all: put sms:optOutsBySource into ${settingsFile}.`,
            ]
          : [],
      ),
      ...pairs.flatMap(({ planned: stack, deployed }) => lostChecks(stack, deployed)).map(describeLostCheck),
      ...changes.flatMap(describeRemovedSources),
      ...pairs
        .flatMap(({ planned: stack, deployed }) => lostBackups(stack, deployed))
        .map(describeLostBackups),
      ...pairs
        .flatMap(({ planned: stack, deployed }) => shorterRetentions(stack, deployed))
        .map(describeShorterRetention),
      ...pairs
        .flatMap(({ planned: stack, deployed }) => lostProtections(stack, deployed))
        .map(describeLostProtection),
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

function describeLostCheck({ stack, name, check }: LostCheck): string {
  return check === 'sources'
    ? `${stack}: the check of senders' addresses by ${name}. Its webhook would accept requests from everywhere: put sms:allowedSourceIps into ${settingsFile}.`
    : `${stack}: the check of signatures by ${name}. The contract has the scheme "none", with which any sender can forge events.`;
}

function describeShorterRetention({ stack, what, names, days }: ShorterRetention): string {
  const kept =
    days.before === Number.POSITIVE_INFINITY ? 'for ever' : `for ${formatCount(days.before, 'day')}`;
  return `${stack}: ${what} older than ${formatCount(days.after, 'day')}, now kept ${kept} (${names.join(', ')}).`;
}

function describeLostProtection({ stack, names }: LostProtection): string {
  return `${stack}: the protection of ${names.join(', ')}, which would be deleted with the stack, or by the next change that removes it.`;
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
  planned: PlannedStack,
  { keyOfTopic }: DeployedAccount,
  err: (text: string) => void,
): Promise<void> {
  for (const topic of alarmTopicsOf([planned, ...nestedIn(planned)])) {
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
