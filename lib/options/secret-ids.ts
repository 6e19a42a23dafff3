import { type Stack, Token } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { otherRegionOf } from './places.ts';

/**
 * How functions and CloudFormation name a secret; `none` without one. A partial ARN is needed for a secret of another account: of a secret whose name
 * ends like an ARN (`my-secret`), Secrets Manager would take it for a complete one.
 */
export function secretIdOf(secret: ISecret | undefined): string {
  if (secret === undefined) return 'none';
  return secret.secretFullArn ?? (isElsewhere(secret) ? secret.secretArn : secret.secretName);
}

/** Returns whether a secret is, or may be, in another account or region than its stack. */
export function isElsewhere({ env, stack }: ISecret): boolean {
  return env.account !== stack.account || env.region !== stack.region;
}

/** Secrets Manager appends a hyphen and six characters to a name. */
const likeSuffix = /-[A-Za-z0-9]{6}$/;

const formOfSecretArn = /^arn:[^:]+:secretsmanager:[^:]+:[^:]+:secret:/;

/** What was found instead of a secret that a stack can read, and what was expected. */
interface SecretProblem {
  readonly found: string;
  readonly expected: string;
}

/** Returns why a stack cannot read a secret of the caller; undefined if it can, or if what decides it is not known at synth. */
export function problemWithSecret(secret: ISecret, stack: Stack): SecretProblem | undefined {
  if (!Token.isUnresolved(secret.secretArn) && !formOfSecretArn.test(secret.secretArn))
    return {
      found: secret.secretArn,
      expected:
        'expected the ARN of a secret, arn:aws:secretsmanager:<region>:<account>:secret:<name>, for example not of a parameter of SSM',
    };
  const region = otherRegionOf(secret, stack);
  if (region !== undefined)
    return {
      found: `a secret in ${region}`,
      expected: `expected one in ${stack.region}: replicate it there`,
    };
  // CDK reads a shorter name from such an ARN. It knows the name of Secret.fromSecretNameV2.
  const { secretArn, secretFullArn, secretName } = secret;
  return secretFullArn === undefined && likeSuffix.test(secretArn) && !secretArn.endsWith(`:${secretName}`)
    ? {
        found: 'the partial ARN of a secret whose name ends in a hyphen and six characters',
        expected:
          'expected Secret.fromSecretCompleteArn, because Secrets Manager would take this one for complete and find no secret',
      }
    : undefined;
}
