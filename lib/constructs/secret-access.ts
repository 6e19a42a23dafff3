import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';

type SecretCall = 'GetSecretValue' | 'PutSecretValue' | 'UpdateSecretVersionStage';

/** Allows these calls on a secret and no others: the grants of CDK's Secret add some that no function makes. */
export function allowOnSecret(grantee: IGrantable, secretArn: string, ...calls: readonly SecretCall[]): void {
  Grant.addToPrincipal({
    grantee,
    resourceArns: [secretArn],
    actions: calls.map((call) => `secretsmanager:${call}`),
  });
}

/** Allows a function to read the secret of this name, in which the API key is. */
export function allowApiKey(reader: CdkFunction, name: string): void {
  allowOnSecret(reader, arnOfSecretNamed(Stack.of(reader), name), 'GetSecretValue');
}

/** Secrets Manager puts a hyphen and six characters behind a name. */
function arnOfSecretNamed(stack: Stack, name: string): string {
  return stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}
