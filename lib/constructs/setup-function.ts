import { type Duration, Validations } from 'aws-cdk-lib';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type FunctionDefaults, LambdaFunction } from './lambda-function.ts';

export interface SetupFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly webhookSecret: ISecret;
  readonly webhookUrl: string;
  /** Name of the existing secret that holds the API key. */
  readonly apiKeySecretName: string;
  readonly serviceBaseUrl: string;
  readonly secretOverlapHours: number;
  /** How long CloudFormation waits for an answer. */
  readonly registrationTimeout: Duration;
}

/** The function that registers the webhook; it may read the API key, and read and write the webhook secret. */
export class SetupFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: SetupFunctionProps) {
    super(scope, id, {
      ...props.defaults,
      name: 'setup',
      description: 'Registers, checks and deactivates the webhook at the SMS service.',
      memoryMiB: 256,
      // Less than CloudFormation waits, so that a failure is answered and not timed out.
      timeoutSeconds: props.registrationTimeout.toSeconds() - 30,
      environment: {
        WEBHOOK_SECRET_ID: props.webhookSecret.secretArn,
        API_KEY_SECRET_ID: props.apiKeySecretName,
        SMS_SERVICE_BASE_URL: props.serviceBaseUrl,
        WEBHOOK_URL: props.webhookUrl,
        SECRET_OVERLAP_HOURS: String(props.secretOverlapHours),
      },
    });
    props.webhookSecret.grantRead(this.function);
    props.webhookSecret.grantWrite(this.function);
    Secret.fromSecretNameV2(this, 'ApiKey', props.apiKeySecretName).grantRead(this.function);
    // Lambda would try a failed request again for hours, and register a webhook whose stack is gone by then.
    this.function.configureAsyncInvoke({ maxEventAge: props.registrationTimeout });
    const reason =
      'CloudFormation, the only asynchronous caller, reports a request without an answer as a failed deployment; a kept request would hold the pre-signed address of its answer.';
    Validations.of(this.function).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }
}
