import { CfnOutput, CfnResource, CfnWaitConditionHandle, Stack, type StackProps } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { BillingWatchFunction } from '../automate/billing-watch.ts';
import { ContactSyncAutomation } from '../automate/contact-sync.ts';
import type { AutomationProps } from '../automate/event-automation.ts';
import { FailureAlertAutomation } from '../automate/failure-alert.ts';
import { ForwardAutomation } from '../automate/forward.ts';
import { OptOutAutomation } from '../automate/opt-out.ts';
import { functionContext } from '../building-blocks/lambda-function.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { StorageStack } from './storage-stack.ts';

export interface AutomationsStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  readonly eventBus: EventBus;
  /** The base URL of the SMS service. */
  readonly serviceBaseUrl: string;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/** The automations that are switched on. The stack exists without any too, so that switching an automation off removes it. */
export class AutomationsStack extends Stack {
  constructor(scope: Construct, id: string, props: AutomationsStackProps) {
    super(scope, id, { description: 'SMS pipeline: automations that follow its events.', ...props });
    const { settings, storage, eventBus, serviceBaseUrl, bundles } = props;
    const common = { ...functionContext(this, settings, bundles), eventBus, serviceBaseUrl };
    if (settings.optOutContacts === 'on' || settings.failureAlert === 'on')
      this.addNoticeAutomations(common, storage);
    if (settings.contactSync === 'on')
      this.outputQueues('ContactSync', new ContactSyncAutomation(this, 'ContactSync', common));
    if (settings.forwardUrl !== undefined) {
      const forward = new ForwardAutomation(this, 'Forward', { ...common, url: settings.forwardUrl });
      this.outputQueues('Forward', forward);
      new CfnOutput(this, 'ForwardSecretArn', { value: forward.secret.secretArn });
    }
    if (settings.billingWatch === 'on') {
      const { functionName } = new BillingWatchFunction(this, 'BillingWatch', common).function;
      new CfnOutput(this, 'BillingWatchFunctionName', { value: functionName });
    }
    // CloudFormation rejects a template without a resource; this one does nothing, and is free.
    if (!this.node.findAll().some(CfnResource.isCfnResource)) new CfnWaitConditionHandle(this, 'NoneOn');
  }

  /** Adds the topic, and the automations that send notices to people. */
  private addNoticeAutomations(common: AutomationProps, { historyTable }: StorageStack): void {
    const notices = new Topic(this, 'Notices', {
      displayName: 'SMS pipeline',
      enforceSSL: true,
      masterKey: Alias.fromAliasName(this, 'NoticesKey', 'alias/aws/sns'),
    });
    new CfnOutput(this, 'NoticesTopicArn', { value: notices.topicArn });
    if (common.settings.optOutContacts === 'on')
      this.outputQueues('OptOut', new OptOutAutomation(this, 'OptOut', { ...common, historyTable, notices }));
    if (common.settings.failureAlert === 'on') {
      const failureAlert = new FailureAlertAutomation(this, 'FailureAlert', { ...common, notices });
      this.outputQueues('FailureAlert', failureAlert);
      const { functionName } = failureAlert.alert.function;
      new CfnOutput(this, 'FailureAlertFunctionName', { value: functionName });
    }
  }

  private outputQueues(
    name: string,
    { queue, deadLetterQueue }: { readonly queue: IQueue; readonly deadLetterQueue: IQueue },
  ): void {
    new CfnOutput(this, `${name}QueueUrl`, { value: queue.queueUrl });
    new CfnOutput(this, `${name}DeadLetterQueueUrl`, { value: deadLetterQueue.queueUrl });
  }
}
