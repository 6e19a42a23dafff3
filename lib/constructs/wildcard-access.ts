import { Stack, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js';
import type { Construct } from 'constructs';

export interface WildcardAccess {
  readonly actions: readonly string[];
  /** With wildcards. */
  readonly resourceArn: string;
  /** What the wildcards stand for, and why they are there. */
  readonly reason: string;
}

/**
 * Allows actions on resources whose whole names nobody knows beforehand.
 *
 * @param owner has the policy below it
 */
export function allowOnPattern(
  owner: Construct,
  grantee: IGrantable,
  { actions, resourceArn, reason }: WildcardAccess,
): void {
  Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns: [resourceArn] });
  acknowledgeWildcard(owner, resourceArn, reason);
}

/** cdk-nag has each wildcard acknowledged by the ARN it is in, with references in a notation of its own. */
export function acknowledgeWildcard(owner: Construct, resourceArn: string, reason: string): void {
  const flattened = flattenCfnReference(Stack.of(owner).resolve(resourceArn));
  Validations.of(owner).acknowledge({ id: `AwsSolutions-IAM5[Resource::${flattened}]`, reason });
}
