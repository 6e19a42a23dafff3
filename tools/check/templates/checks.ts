import { collisions } from './collisions.ts';
import { functionProblems } from './functions.ts';
import { oversizedPolicies } from './policies.ts';
import { queueProblems } from './queues.ts';
import { importProblems } from './references.ts';
import { alarmProblems, assetProblems, ruleProblems, throttleProblems, unresolvedTexts } from './rules.ts';
import type { Stack } from './stack.ts';

/**
 * What can be found wrong with the stacks of an app without an AWS account: a line for each thing found. Lengths, ranges and references
 * within one template are left to the validation of the CDK, which has the schemas of CloudFormation.
 */
export const checks = {
  'import that no stack exports in time': importProblems,
  'text that was never filled in': unresolvedTexts,
  'asset that is missing or left over': assetProblems,
  'policy that is too large': oversizedPolicies,
  'function that Lambda would refuse': functionProblems,
  'queue that does not fit its function': queueProblems,
  'rule that EventBridge would refuse': ruleProblems,
  'alarm that CloudWatch would refuse': alarmProblems,
  'throttle that never holds': throttleProblems,
  'name that is there twice': collisions,
} satisfies Record<string, (stacks: readonly Stack[]) => string[]>;

/** Everything that the checks find wrong with these stacks, each line with the name of its check. */
export const problemsOf = (stacks: readonly Stack[]): string[] =>
  Object.entries(checks).flatMap(([name, check]) => check(stacks).map((problem) => `${name}: ${problem}`));
