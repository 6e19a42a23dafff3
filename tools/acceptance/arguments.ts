import { parseArgs } from 'node:util';
import { omitUndefined } from '../../functions/base/basics.ts';
import { OptionError, wholeNumber } from '../support/run-script.ts';

export const help = `Usage: npm run acceptance -- --emulator | --yes | --destroy STACK [options]

Deploys a pipeline of its own, sends events to it, rotates, replays and erases, writes build/acceptance/report.md,
and destroys what it deployed. Exit code 0 if every check held. Two pipelines run at the same time: one with a secret
that is stored by hand, and one with a customer key and the console.

  --emulator              on this machine, deployed by the CDK to MiniStack: an implementation of AWS that is not ours,
                          and that checks each call against the roles. The second pipeline registers at the sandbox.
                          Needs Python 3.10 or newer with venv
  --yes                   in the AWS account of the terminal's credentials; without it the account is only shown
  --destroy STACK         destroy what an interrupted run left; needs --yes
  --events N              reports to send, each one to three times (default 300)
  --seed N                the seed of order and repeats (default 1)
  --contract FILE         the contract of the SMS service (default contract.json)
  --api-key-secret NAME   register the second webhook at the service of the contract, with the API key in this secret.
                          The service then sends to the new address only, until the run ends: use an account for tests`;

/** Where the webhook's secret comes from: from the service that the pipeline registers at, or from an operator. */
export type Registration = 'on' | 'off';

/** A pipeline of a run. */
export interface PipelinePlan {
  readonly name: string;
  readonly registration: Registration;
  /** Whether a key of the customer encrypts its data. */
  readonly hasCustomerKey: boolean;
  readonly hasConsole: boolean;
  /** Whether the service is our sandbox, which can be out of order on purpose. */
  readonly hasSandbox: boolean;
}

export interface RunPlan {
  readonly kind: 'run';
  readonly target: 'emulator' | 'aws';
  readonly isConfirmed: boolean;
  /** They are deployed and judged at the same time. */
  readonly pipelines: readonly PipelinePlan[];
  readonly events: number;
  readonly seed: number;
  readonly contractFile?: string;
  readonly apiKeySecret?: string;
}

export type Plan =
  | RunPlan
  | { readonly kind: 'destroy'; readonly stackName: string; readonly isConfirmed: boolean }
  | { readonly kind: 'help' };

/** The stacks that runs make. No other is ever destroyed: a mistyped name must not be that of a team's pipeline. */
const ownName = /^SmsAcceptance-[0-9a-f]{8}$/;

/** @param random 8 hexadecimal digits */
export function stackNameOf(random: string): string {
  const stackName = `SmsAcceptance-${random}`;
  if (!ownName.test(stackName)) throw new Error(`not the name of a run's stack: ${stackName}`);
  return stackName;
}

/** The stack beside that of the pipeline, with the queues that a run reads. */
export const receiversOf = (stackName: string) => `${stackName}-Receivers`;

/** @throws OptionError, or what `parseArgs` throws */
export function readPlan(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      emulator: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      destroy: { type: 'string' },
      events: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      contract: { type: 'string' },
      'api-key-secret': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { emulator, yes: isConfirmed, destroy, contract: contractFile } = values;
  const apiKeySecret = values['api-key-secret'];
  if (values.help) return { kind: 'help' };
  if (destroy !== undefined) {
    if (emulator) throw new OptionError('--destroy is for AWS: a run in the emulator leaves nothing');
    if (!ownName.test(destroy))
      throw new OptionError(
        '--destroy: expected the stack of a run, SmsAcceptance- and 8 hexadecimal digits',
      );
    return { kind: 'destroy', stackName: destroy, isConfirmed };
  }
  if (apiKeySecret !== undefined && (emulator || contractFile === undefined))
    throw new OptionError('--api-key-secret: expected with --contract, and without --emulator');
  const target = emulator ? 'emulator' : 'aws';
  return {
    kind: 'run',
    target,
    isConfirmed,
    pipelines: pipelinesOf(target, apiKeySecret),
    events: wholeNumber('events', values.events, 20),
    seed: wholeNumber('seed', values.seed, 0),
    ...omitUndefined({ contractFile, apiKeySecret }),
  };
}

function pipelinesOf(target: RunPlan['target'], apiKeySecret: string | undefined): PipelinePlan[] {
  const hasSandbox = target === 'emulator';
  const registration = hasSandbox || apiKeySecret !== undefined ? 'on' : 'off';
  return [
    {
      name: 'plain',
      registration: 'off',
      hasCustomerKey: false,
      hasConsole: false,
      hasSandbox: false,
    },
    {
      name: registration === 'on' ? 'registered, with a customer key' : 'with a customer key',
      registration,
      hasCustomerKey: true,
      hasConsole: true,
      hasSandbox,
    },
  ];
}

/**
 * Returns the region of the terminal, and sets it where the clients of the SDK read it.
 *
 * @param env the environment of this process; changed
 * @throws OptionError without a region
 */
export function useRegion(env: Record<string, string | undefined>): string {
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  if (region) {
    env.AWS_REGION = region;
    return region;
  }
  throw new OptionError('No region: set AWS_REGION to the region to deploy to. --emulator needs none.');
}

/** @throws OptionError if the clone has settings of its own, which would make another pipeline than the one that ships */
export function refuseOwnSettings(context: Readonly<Record<string, unknown>>): void {
  const own = Object.keys(context).filter((key) => key.startsWith('sms:'));
  if (own.length > 0)
    throw new OptionError(
      `the clone has settings (${own.join(', ')}): run from a clone without any in cdk.json and cdk.context.json`,
    );
}

/** The settings of the pipeline under test. Its data is gone at the end of the run, so it keeps logs and events for a day. */
export function settingsOf(
  stackName: string,
  { registration, hasCustomerKey, hasConsole, hasSandbox }: PipelinePlan,
  { contractFile, apiKeySecret }: Pick<RunPlan, 'contractFile' | 'apiKeySecret'>,
): Readonly<Record<string, string>> {
  return {
    'sms:stackName': stackName,
    'sms:registration': registration,
    'sms:everyEvent': 'on',
    'sms:failureAlert': 'on',
    'sms:invocationLogs': 'on',
    'sms:dashboard': 'off',
    'sms:logRetentionDays': '1',
    'sms:eventArchiveDays': '1',
    'sms:encryptionKey': hasCustomerKey ? 'customer' : 'aws',
    'sms:console': hasConsole ? 'on' : 'off',
    // A service that is not the sandbox must not get contacts with made-up numbers.
    'sms:optOutContacts': hasSandbox ? 'on' : 'off',
    ...(contractFile !== undefined && { 'sms:contractFile': contractFile }),
    ...(registration === 'on' && apiKeySecret !== undefined && { 'sms:apiKeySecretName': apiKeySecret }),
  };
}
