import { mainSource } from '../../../contract/events/source-id.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { failed, ok, skipped, type Verdict, warn } from '../../../functions/query/index.ts';
import { howToApply } from '../../input/contract-file.ts';
import type { StackName, StackState } from '../../target/stack/outputs.ts';

/** The outputs that every deployment has. */
const expected: Readonly<Record<Exclude<StackName, 'Automations' | 'Analysis'>, readonly string[]>> = {
  Storage: ['HistoryTableName', 'QuarantineTableName', 'WebhookSecretId'],
  Events: ['EventBusName', 'EventBusArn', 'PublisherFailuresQueueUrl', 'ProbeQueueUrl'],
  Pipeline: [
    'WebhookUrl',
    'QueryUrl',
    'ApiId',
    'EventsQueueUrl',
    'DeadLetterQueueUrl',
    'WebhookStateTableName',
    'ListShards',
    'Registration',
    'SecretOverlapHours',
    'SetupFunctionName',
    'ContractHash',
  ],
  Registration: ['RegisteredUrl'],
};

type ExpectedStack = keyof typeof expected;

/** Judges whether every stack is there, complete, and not left by a deployment that failed. */
export function judgeStacks(
  stacks: ReadonlyMap<StackName, StackState>,
  deploy: string,
  source: string = mainSource,
): Verdict {
  if (stacks.size === 0)
    return failed(
      'there is no stack of a pipeline',
      `Run ${deploy}, or name the pipeline with --prefix, --stack and --region.`,
    );
  // Another source than `main` is registered by the stack that receives.
  const isRegistered = source === mainSource && stacks.get('Pipeline')?.outputs.Registration !== 'off';
  const names: readonly ExpectedStack[] = [
    'Storage',
    'Events',
    'Pipeline',
    ...(isRegistered ? (['Registration'] as const) : []),
  ];
  const problems = names.flatMap((name) => {
    const stack = stacks.get(name);
    if (stack === undefined) return [`no stack ${name}`];
    const missing = expected[name].filter((output) => !stack.outputs[output]);
    return missing.length === 0 ? [] : [`${stack.name} lacks ${missing.join(', ')}`];
  });
  const unique = new Map([...stacks.values()].map(({ name, status = '' }) => [name, status]));
  const undone = [...unique].filter(([, status]) => /ROLLBACK|FAILED/.test(status)).map(said);
  if (problems.length + undone.length > 0)
    return failed(
      [...problems, ...undone].join('; '),
      undone.length === 0
        ? `Run ${deploy} with this version.`
        : `The events of the stack in the CloudFormation console name the cause. Fix it, and run ${deploy}.`,
    );
  const underWay = [...unique].filter(([, status]) => status.endsWith('IN_PROGRESS')).map(said);
  if (underWay.length > 0) return warn(underWay.join('; '), 'Wait for the deployment, and run this again.');
  return ok(`all in ${unique.size === 1 ? [...unique.keys()].join() : formatCount(unique.size, 'stack')}`);
}

/** Below this, a burst of requests uses up what all functions of the account share. */
const minConcurrency = 100;

/**
 * Judges whether the account lets enough functions run at once.
 *
 * @param limit the quota "Concurrent executions" of Lambda in the region
 */
export function judgeConcurrency(limit: number): Verdict {
  const found = `Lambda runs at most ${formatCount(limit, 'function')} at once in this account and region`;
  if (limit >= minConcurrency) return ok(found);
  return warn(
    found,
    'Ask AWS for 1,000: Service Quotas, AWS Lambda, "Concurrent executions". A new account has fewer, and the webhook answers 5xx above it.',
  );
}

function said([name, status]: readonly [string, string]): string {
  return `${name} is ${status}`;
}

/** Judges whether the functions read events by the contract at hand. @param deployed its hash as the stacks have it */
export function judgeContract(
  deployed: string | undefined,
  atHand: string,
  path: string,
  local: boolean,
): Verdict {
  if (deployed === undefined) return skipped('the stacks do not name their contract: see outputs');
  if (deployed === atHand) return ok(`${path} is the deployed one (${atHand})`);
  return failed(
    `deployed is ${deployed}, ${path} is ${atHand}`,
    `Name the deployed file with --contract. ${howToApply(path, local)}`,
  );
}
