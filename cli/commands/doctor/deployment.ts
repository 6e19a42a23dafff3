import { formatCount } from '../../../functions/base/basics.ts';
import { failed, ok, skipped, type Verdict, warn } from '../../../functions/query/index.ts';
import { howToApply } from '../../input/contract-file.ts';
import type { StackState } from '../../target/stack/outputs.ts';

/** The outputs that every pipeline has. */
const expected = [
  'HistoryTableName',
  'QuarantineTableName',
  'WebhookSecretId',
  'EventBusName',
  'EventBusArn',
  'PublisherFailuresQueueUrl',
  'ProbeQueueUrl',
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
] as const;

/** Returns whether a stack has a pipeline. One that was rolled back for the first time has none. */
export const hasPipeline = ({ outputs }: StackState): boolean => outputs.HistoryTableName !== undefined;

/** Judges whether the stack is there, complete, and not left by a deployment that failed. */
export function judgeStack(stack: StackState | undefined, deploy: string): Verdict {
  if (stack === undefined)
    return failed(
      'there is no stack of a pipeline',
      `Run ${deploy}, or name the pipeline with --stack and --region.`,
    );
  const { name, status = '', outputs } = stack;
  const isUndone = /ROLLBACK|FAILED/.test(status);
  if (!hasPipeline(stack))
    return failed(
      `${name} has no pipeline${status === '' ? '' : `, and is ${status}`}`,
      `Run ${deploy}, or name another stack with --stack.`,
    );
  const wanted = outputs.Registration === 'on' ? [...expected, 'RegisteredUrl'] : expected;
  const missing = wanted.filter((output) => !outputs[output]);
  const problems = [
    ...(missing.length === 0 ? [] : [`${name} lacks ${missing.join(', ')}`]),
    ...(isUndone ? [`${name} is ${status}`] : []),
  ];
  if (problems.length > 0)
    return failed(
      problems.join('; '),
      isUndone
        ? `The events of the stack in the CloudFormation console name the cause. Fix it, and run ${deploy}.`
        : `Run ${deploy} with this version.`,
    );
  if (status.endsWith('IN_PROGRESS'))
    return warn(`${name} is ${status}`, 'Wait for the deployment, and run this again.');
  return ok(`all in ${name}`);
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

/** Judges whether the functions read events by the contract at hand. @param deployed its hash as the stack has it */
export function judgeContract(
  deployed: string | undefined,
  atHand: string,
  path: string,
  local: boolean,
): Verdict {
  if (deployed === undefined) return skipped('the stack does not name its contract: see outputs');
  if (deployed === atHand) return ok(`${path} is the deployed one (${atHand})`);
  return failed(
    `deployed is ${deployed}, ${path} is ${atHand}`,
    `Name the deployed file with --contract. ${howToApply(path, local)}`,
  );
}
