import { Annotations, CustomResource, Duration, Token, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../options/options.ts';
import { secretIdOf } from '../options/secret-ids.ts';
import { registrationTimeout, type SetupFunction } from './setup-function.ts';

/** The source whose webhook is registered. */
interface RegisteredSource {
  readonly setup: SetupFunction;
  readonly webhookUrl: string;
  readonly webhookStateTable: Table;
}

/**
 * Registers the webhook at the SMS service during the deployment, and reconciles it from then on.
 *
 * @param path what takes an event from the webhook to the bus and to the automations, without subscriptions of the user's own. The service
 * sends events as soon as it knows the address, and until the webhook is deactivated. CloudFormation therefore registers the webhook after
 * it made the whole path, and deactivates it before it removes the path.
 */
export function addRegistration(
  scope: Construct,
  options: PipelineOptions,
  { setup, webhookUrl, webhookStateTable }: RegisteredSource,
  path: readonly Construct[],
): void {
  const { serviceBaseUrl, functionSources } = options;
  const { registration: adapter } = functionSources.contract;
  const setupWithPermissions = [...scope.node.children];
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
      // Nor does it read this: with a new table it registers at once, and not with the next run of reconcile.
      WebhookStateTableName: webhookStateTable.tableName,
    },
  });
  registration.node.addDependency(...path, ...setupWithPermissions);
  // Without a desired state reconcile registers, so it begins after this and ends before the webhook is deactivated.
  addReconcileSchedule(scope, setup).node.addDependency(registration);
  if (!Token.isUnresolved(serviceBaseUrl) && new URL(serviceBaseUrl).hostname.endsWith('.example'))
    Annotations.of(scope).addWarningV2(
      'sms-pipeline:placeholder-service',
      `The SMS service's address is the placeholder ${serviceBaseUrl}: set service.baseUrl in the contract before you deploy.`,
    );
  addOutput(scope, options, 'RegisteredUrl', registration.getAttString('RegisteredUrl'));
}

/** Lets the setup function compare the webhook with the desired state every five minutes. */
function addReconcileSchedule(scope: Construct, setup: SetupFunction): Rule {
  const rule = new Rule(scope, 'Reconcile', {
    description: 'Reconciles the webhook with the SMS service.',
    schedule: Schedule.rate(Duration.minutes(5)),
    targets: [
      new LambdaTarget(setup.function, {
        event: RuleTargetInput.fromObject({ action: 'reconcile' }),
        // A run that cannot begin within a minute is dropped, so that runs never pile up.
        maxEventAge: Duration.minutes(1),
      }),
    ],
  });
  Validations.of(rule).acknowledge({
    id: 'Serverless-EventBusDLQ',
    reason:
      'A run that could not begin has nothing to keep: the next one, five minutes later, does all of its work.',
  });
  return rule;
}
