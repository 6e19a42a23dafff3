import { Annotations, CustomResource, Token } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { secretIdOf } from '../building-blocks/grants.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../options/options.ts';
import { registrationTimeout, type SetupFunction } from './setup-function.ts';

/** The source whose webhook is registered. */
interface RegisteredSource {
  readonly setup: SetupFunction;
  readonly webhookUrl: string;
  readonly webhookStateTable: Table;
}

/** Registers the webhook at the SMS service during the deployment. If that does not succeed, the schedule tries again. */
export function addRegistration(
  scope: Construct,
  options: PipelineOptions,
  { setup, webhookUrl, webhookStateTable }: RegisteredSource,
): CustomResource {
  const { serviceBaseUrl, functionSources } = options;
  const { registration: adapter } = functionSources.contract;
  const registration = new CustomResource(scope, 'Registration', {
    resourceType: 'Custom::SmsWebhookRegistration',
    serviceToken: setup.function.functionArn,
    serviceTimeout: registrationTimeout,
    properties: {
      WebhookUrl: webhookUrl,
      // The function does not read these: CloudFormation registers again when the service or the account changes.
      ServiceBaseUrl: serviceBaseUrl,
      ...(adapter === null ? {} : { RegistrationId: adapter.id }),
      ApiKeySecretName: secretIdOf(options.apiKey),
      // Nor does it read this: only registering writes the desired state into the table, so a new table needs it again.
      WebhookStateTableName: webhookStateTable.tableName,
    },
  });
  if (!Token.isUnresolved(serviceBaseUrl) && new URL(serviceBaseUrl).hostname.endsWith('.example'))
    Annotations.of(scope).addWarningV2(
      'sms-pipeline:placeholder-service',
      `The SMS service's address is the placeholder ${serviceBaseUrl}: set service.baseUrl in the contract before you deploy.`,
    );
  addOutput(scope, options, 'RegisteredUrl', registration.getAttString('RegisteredUrl'));
  return registration;
}
