import type { Context } from '../../target/context.ts';
import { CommandFailure, explainError } from '../../target/errors.ts';
import { sanitizeLines } from '../../text/sanitize.ts';
import { type CdkTarget, readDeployArguments } from './arguments.ts';
import { alarmTopicsOf, type Removal, removalsOf, silencedAlarms } from './compare-stacks.ts';
import type { DeployedStack, PlannedStack, ReadDeployedStack } from './stacks.ts';

/** What the command reads of the account that is deployed to. */
export interface DeployedAccount {
  readonly stack: ReadDeployedStack;
  /** The region that is read. */
  readonly region: () => Promise<string>;
  /** How many messages wait, are in flight or are delayed, about; 0 where the queue is gone. */
  readonly messagesIn: (queueUrl: string) => Promise<number>;
  /** The id of the key that a topic is encrypted with; undefined where it is not encrypted. */
  readonly keyOfTopic: (topicArn: string) => Promise<string | undefined>;
}

export interface DeployParts {
  readonly terminal: Pick<Context['terminal'], 'out' | 'err' | 'ask'>;
  /** Runs the CDK's command line, with this process's terminal, and returns its exit code. */
  readonly runCdk: (args: readonly string[]) => Promise<number>;
  readonly readPlanned: (directory: string) => Promise<readonly PlannedStack[]>;
  /** The profile and the region that the CDK uses where the arguments name none. */
  readonly readDefaults: () => Promise<CdkTarget>;
  readonly account: (target: CdkTarget) => DeployedAccount;
  /** Where the CDK synthesizes to, and deploys from. */
  readonly outputDirectory: string;
}

const permissions =
  'The comparison needs cloudformation:ListStackResources, cloudformation:DescribeStacks, cloudformation:GetTemplate, sqs:GetQueueAttributes and sns:GetTopicAttributes. npx cdk deploy --all deploys without it.';

const help = `Usage: npm run deploy -- [options of cdk deploy]

Synthesizes, compares with what is deployed, and deploys all stacks. It asks before it removes a queue that holds messages or
something else that would be lost, and before alarms lose their topic. All options go on to cdk deploy --all.

  -c, --context sms:<name>=<value>  a setting; better kept in "context" in cdk.json, or the next deployment forgets it
  -y, --yes                         answers every question with yes, those of cdk deploy too
  --profile <name>, --region <name> as for cdk deploy

${permissions}`;

/** What to do without an AWS account. */
const noCredentials =
  'npm run deploy compares with what is deployed before it changes anything; npx cdk synth -q needs no AWS account.';

/**
 * Deploys, after asking about what would be lost.
 *
 * @param args behind `npm run deploy --`
 * @returns the exit code: that of the CDK, or 1 where nothing was deployed
 */
export async function deploy(args: readonly string[], parts: DeployParts): Promise<number> {
  const { terminal, outputDirectory, runCdk } = parts;
  const given = readDeployArguments(args);
  if (given.help) {
    terminal.out(`${help}\n`);
    return 0;
  }
  try {
    const target = targetOf(given, await parts.readDefaults());
    const synthesized = await runCdk([
      ...['synth', '--quiet', '--output', outputDirectory],
      ...given.context,
      ...(target.profile === undefined ? [] : ['--profile', target.profile]),
      ...(target.region === undefined ? [] : ['--region', target.region]),
    ]);
    if (synthesized !== 0) return synthesized;
    const planned = await parts.readPlanned(outputDirectory);
    const account = parts.account(target);
    await refuseSilentTopics(planned, account, terminal.err);
    const pairs = await readDeployed(planned, account);
    terminal.out(sanitizeLines(await comparedWith(pairs, planned.length, target, account)).concat('\n'));
    await agree(await lossesOf(pairs, account), given.yes, terminal);
  } catch (error) {
    const known = error instanceof CommandFailure ? error.message : explainError(error, noCredentials);
    if (known === undefined) throw error;
    const isDenied = error instanceof Error && /^AccessDenied/.test(error.name);
    terminal.err(`error: ${sanitizeLines(known)}\n${isDenied ? `${permissions}\n` : ''}`);
    return 1;
  }
  // What was compared is what is deployed: not synthesized a second time.
  return await runCdk(['deploy', '--all', '--app', outputDirectory, ...args]);
}

/** Names where the CDK deploys to: the arguments come before the defaults. */
function targetOf(given: CdkTarget, defaults: CdkTarget): CdkTarget {
  const profile = given.profile ?? defaults.profile;
  const region = given.region ?? defaults.region;
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(region === undefined ? {} : { region }),
  };
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

/** Says which account and region were compared: in the wrong one there is no stack, and so nothing to ask about. */
async function comparedWith(
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
  const found = 1 + others.length;
  return `Compared with account ${accountId}, region ${region}: ${found} of ${counted(planned, 'stack')} ${planned === 1 ? 'is' : 'are'} deployed.`;
}

/** What is lost, and what is only removed, as sentences. */
interface Losses {
  readonly lost: readonly string[];
  readonly removed: readonly string[];
}

async function lossesOf(pairs: readonly StackPair[], account: DeployedAccount): Promise<Losses> {
  const removals = pairs.flatMap(({ planned: stack, deployed }) => removalsOf(stack, deployed));
  const described = await Promise.all(removals.map((removal) => describe(removal, account)));
  const { topics, count } = silencedAlarms(pairs);
  const silenced =
    count === 0
      ? []
      : [
          `${counted(count, 'alarm')} would notify no topic any more (now ${topics.join(', ')}): put sms:alarmTopicArn into "context" in cdk.json.`,
        ];
  return {
    lost: [...silenced, ...described.filter(({ isLost }) => isLost).map(({ text }) => text)],
    removed: described.filter(({ isLost }) => !isLost).map(({ text }) => text),
  };
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
    : { isLost: true, text: `${stack}: the queue ${name} with about ${counted(messages, 'message')}.` };
}

async function agree(
  { lost, removed }: Losses,
  yes: boolean,
  { out, ask }: DeployParts['terminal'],
): Promise<void> {
  if (removed.length > 0) out(lines('This deployment removes', removed));
  if (lost.length === 0) return;
  out(lines('This deployment loses', lost));
  if (yes) return;
  const advice =
    'A setting that was given once with -c is gone without it: settings belong into "context" in cdk.json (docs/deploying.md, Settings stay in cdk.json).';
  if (ask === undefined)
    throw new CommandFailure(
      `Nothing was deployed: this needs an answer, and there is no terminal. ${advice} If it is meant, add --yes: npm run deploy -- --yes.`,
    );
  const answer = await ask('Deploy all the same? Type yes: ');
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure(`Nothing was deployed. ${advice}`);
}

function lines(heading: string, sentences: readonly string[]): string {
  return sanitizeLines(`${heading}:\n${sentences.map((sentence) => `  - ${sentence}`).join('\n')}`).concat(
    '\n',
  );
}

/** @throws CommandFailure where alarms notify a topic that CloudWatch cannot publish to */
async function refuseSilentTopics(
  planned: readonly PlannedStack[],
  { keyOfTopic }: DeployedAccount,
  err: (text: string) => void,
): Promise<void> {
  for (const topic of alarmTopicsOf(planned)) {
    const key = await keyOfTopic(topic).catch((error: unknown) => {
      if (!mayBeUnreadable(error)) throw error;
      err(
        `warning: the alarm topic ${topic} cannot be read (${error.name}): try it as docs/deploying.md says, The alarm topic.\n`,
      );
      return undefined;
    });
    if (key?.endsWith('alias/aws/sns') === true)
      throw new CommandFailure(
        `Nothing was deployed: the alarm topic ${topic} is encrypted with alias/aws/sns, which CloudWatch may not use, so no alarm would notify it. Take the encryption off, or use a key of your own (docs/deploying.md, The alarm topic).`,
      );
  }
}

/** The topic may be another account's, or gone: the deployment itself does not fail on it. */
function mayBeUnreadable(error: unknown): error is Error {
  return error instanceof Error && /^(AuthorizationError|NotFound|InvalidParameter)/.test(error.name);
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
