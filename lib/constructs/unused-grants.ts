import { CfnRole } from 'aws-cdk-lib/aws-iam';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';

/**
 * Says beside grants why no run on one machine uses them, which are reported otherwise (docs/adr/0020): in the metadata
 * `UnusedGrants` of the function's role, by action.
 */
export function explainUnusedGrants({ role }: CdkFunction, actions: readonly string[], reason: string): void {
  const resource = role?.node.defaultChild;
  if (!(resource instanceof CfnRole)) throw new Error('only roles that are made here have metadata');
  const known: unknown = resource.getMetadata('UnusedGrants');
  const explained = Object.fromEntries(actions.map((action) => [action, reason]));
  resource.addMetadata('UnusedGrants', {
    ...(typeof known === 'object' ? known : {}),
    ...explained,
  });
}
