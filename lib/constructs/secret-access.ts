import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';

type SecretCall = 'GetSecretValue' | 'PutSecretValue' | 'UpdateSecretVersionStage';

/** Allows these calls on a secret and no others: the grants of CDK's Secret add some that no function makes. */
export function allowOnSecret(grantee: IGrantable, secretArn: string, ...calls: readonly SecretCall[]): void {
  Grant.addToPrincipal({
    grantee,
    resourceArns: [secretArn],
    actions: calls.map((call) => `secretsmanager:${call}`),
  });
}
