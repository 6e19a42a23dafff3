import { Annotations, CfnOutput, CustomResource, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { registrationTimeout } from '../register/setup-function.ts';
import type { PipelineStack } from './pipeline-stack.ts';

export interface RegistrationStackProps extends StackProps {
  readonly pipeline: PipelineStack;
  readonly serviceBaseUrl: string;
  readonly apiKeySecretName: string;
}

/**
 * Registers the webhook at the SMS service. It is a separate stack, so that an outage of the service or a missing API key fails
 * this stack and never rolls back the pipeline.
 */
export class RegistrationStack extends Stack {
  constructor(scope: Construct, id: string, props: RegistrationStackProps) {
    super(scope, id, {
      description: 'SMS pipeline: registration of the webhook at the SMS service.',
      ...props,
    });
    const registration = new CustomResource(this, 'Registration', {
      resourceType: 'Custom::SmsWebhookRegistration',
      serviceToken: props.pipeline.setupFunction.functionArn,
      serviceTimeout: registrationTimeout,
      properties: {
        WebhookUrl: props.pipeline.webhookUrl,
        // The function does not read these two: CloudFormation registers again when the service or the account changes.
        ServiceBaseUrl: props.serviceBaseUrl,
        ApiKeySecretName: props.apiKeySecretName,
        // Nor does it read this: only registering writes the desired state into the table, so a new table needs it again.
        WebhookStateTableName: props.pipeline.webhookStateTable.tableName,
      },
    });
    if (new URL(props.serviceBaseUrl).hostname.endsWith('.example'))
      Annotations.of(this).addWarningV2(
        'sms-pipeline:placeholder-service',
        `The SMS service's address is the placeholder ${props.serviceBaseUrl}: set service.baseUrl in the contract before you deploy.`,
      );
    new CfnOutput(this, 'RegisteredUrl', { value: registration.getAttString('RegisteredUrl') });
  }
}
