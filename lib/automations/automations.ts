import { Alias } from 'aws-cdk-lib/aws-kms';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { addOutput } from '../building-blocks/output.ts';
import type { OutputName } from '../building-blocks/output-meanings.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../options/options.ts';
import type { Publishing } from '../publish/publishing.ts';
import { BillingWatchFunction } from './billing-watch.ts';
import { ContactSyncAutomation } from './contact-sync.ts';
import { DeliveryWatchFunction } from './delivery-watch.ts';
import { FailureAlertAutomation } from './failure-alert.ts';
import { ForwardAutomation } from './forward.ts';
import { OptOutAutomation } from './opt-out.ts';

/** What automations have that others may use. */
export interface Automating {
  /** The pipeline's own topic of notices to people; undefined if no automation sends any to it. */
  readonly noticesTopic: ITopic | undefined;
  /** Signs forwarded events; undefined if none are forwarded. */
  readonly forwardSecret: ISecret | undefined;
}

/** Adds the automations that are on. */
export function addAutomations(
  scope: Construct,
  options: PipelineOptions,
  { historyTable, insightsTable }: Storage,
  { eventBus }: Publishing,
): Automating {
  const common = { options, eventBus };
  const { optOutContacts, contactSync, failureAlert, forward, billingWatch, deliveryWatch } =
    options.automations;
  const output = (name: OutputName, value: string) => addOutput(scope, options, name, value);
  const outputQueues = (
    name: 'OptOut' | 'FailureAlert' | 'ContactSync' | 'Forward',
    { queue, deadLetterQueue }: { readonly queue: IQueue; readonly deadLetterQueue: IQueue },
  ) => {
    output(`${name}QueueUrl`, queue.queueUrl);
    output(`${name}DeadLetterQueueUrl`, deadLetterQueue.queueUrl);
  };

  let ownTopic: Topic | undefined;
  /** Returns the pipeline's own topic of notices to people. */
  const pipelineTopic = (): ITopic => {
    if (ownTopic === undefined) {
      ownTopic = new Topic(scope, 'Notices', {
        displayName: 'SMS pipeline',
        enforceSSL: true,
        masterKey: Alias.fromAliasName(scope, 'NoticesKey', 'alias/aws/sns'),
      });
      output('NoticesTopicArn', ownTopic.topicArn);
    }
    return ownTopic;
  };
  /** Returns the topic of an automation's notices: the pipeline's own, if no other is given. */
  const notices = (automation: 'OptOut' | 'FailureAlert', given: ITopic | undefined): ITopic => {
    if (given === undefined) return pipelineTopic();
    output(`${automation}TopicArn`, given.topicArn);
    return given;
  };

  if (optOutContacts !== undefined)
    outputQueues(
      'OptOut',
      new OptOutAutomation(scope, 'OptOut', {
        ...common,
        config: optOutContacts,
        historyTable,
        notices: notices('OptOut', optOutContacts.topic),
      }),
    );
  if (failureAlert !== undefined) {
    const automation = new FailureAlertAutomation(scope, 'FailureAlert', {
      ...common,
      config: failureAlert,
      notices: notices('FailureAlert', failureAlert.topic),
    });
    outputQueues('FailureAlert', automation);
    output('FailureAlertFunctionName', automation.alert.function.functionName);
  }
  if (contactSync !== undefined)
    outputQueues(
      'ContactSync',
      new ContactSyncAutomation(scope, 'ContactSync', { ...common, config: contactSync }),
    );
  let forwardSecret: ISecret | undefined;
  if (forward !== undefined) {
    const automation = new ForwardAutomation(scope, 'Forward', { ...common, config: forward });
    outputQueues('Forward', automation);
    // The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
    forwardSecret = automation.secret as ISecret;
    output('ForwardSecretArn', automation.secret.secretArn);
  }
  if (billingWatch === true) {
    const { functionName } = new BillingWatchFunction(scope, 'BillingWatch', common).function;
    output('BillingWatchFunctionName', functionName);
  }
  if (deliveryWatch === true) {
    const { functionName } = new DeliveryWatchFunction(scope, 'DeliveryWatch', {
      ...common,
      historyTable,
      insightsTable,
    }).function;
    output('DeliveryWatchFunctionName', functionName);
  }
  return { noticesTopic: ownTopic, forwardSecret };
}
