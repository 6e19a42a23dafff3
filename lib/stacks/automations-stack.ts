import { CfnOutput, CfnResource, CfnWaitConditionHandle, Stack, type StackProps } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { BillingWatch } from '../automate/billing-watch.ts';
import { ContactSyncAutomation } from '../automate/contact-sync.ts';
import type { ServiceAutomationProps } from '../automate/event-automation.ts';
import { FailureAlert } from '../automate/failure-alert.ts';
import { ForwardAutomation } from '../automate/forward.ts';
import { OptOutAutomation } from '../automate/opt-out.ts';
import { functionDefaults } from '../building-blocks/lambda-function.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { StorageStack } from './storage-stack.ts';

/** Where automations tell people something. Encrypted with the key of SNS in this account, reached by TLS only. */
class NoticesTopic extends Topic {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      displayName: 'SMS pipeline',
      enforceSSL: true,
      masterKey: Alias.fromAliasName(scope, `${id}Key`, 'alias/aws/sns'),
    });
  }
}

export interface AutomationsStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  readonly eventBus: EventBus;
  /** Where the SMS service answers. */
  readonly serviceBaseUrl: string;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/** The automations that are switched on, each with what it needs. The stack is there without any too: so switching off takes away. */
export class AutomationsStack extends Stack {
  constructor(scope: Construct, id: string, props: AutomationsStackProps) {
    super(scope, id, { description: 'SMS pipeline: automations that follow its events.', ...props });
    const { settings, storage, eventBus, serviceBaseUrl, bundles } = props;
    const { alarmTopicArn, forwardUrl } = settings;
    const common: ServiceAutomationProps = {
      defaults: functionDefaults(settings, bundles),
      settings,
      eventBus,
      serviceBaseUrl,
      alarmTopic:
        alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn),
    };
    if (settings.optOutContacts === 'on' || settings.failureAlert === 'on') this.addNotices(common, storage);
    if (settings.contactSync === 'on')
      this.tellQueues('ContactSync', new ContactSyncAutomation(this, 'ContactSync', common));
    if (forwardUrl !== undefined) {
      const forward = new ForwardAutomation(this, 'Forward', { ...common, url: forwardUrl });
      this.tellQueues('Forward', forward);
      new CfnOutput(this, 'ForwardSecretArn', { value: forward.secret.secretArn });
    }
    if (settings.billingWatch === 'on') {
      const { functionName } = new BillingWatch(this, 'BillingWatch', common).function;
      new CfnOutput(this, 'BillingWatchFunctionName', { value: functionName });
    }
    // CloudFormation takes no template without a resource; this one is nothing, and free.
    if (!this.node.findAll().some(CfnResource.isCfnResource)) new CfnWaitConditionHandle(this, 'NoneOn');
  }

  /** The topic, and the automations that tell people something. */
  private addNotices(common: ServiceAutomationProps, { historyTable }: StorageStack): void {
    const notices = new NoticesTopic(this, 'Notices');
    new CfnOutput(this, 'NoticesTopicArn', { value: notices.topicArn });
    if (common.settings.optOutContacts === 'on')
      this.tellQueues('OptOut', new OptOutAutomation(this, 'OptOut', { ...common, historyTable, notices }));
    if (common.settings.failureAlert === 'on') {
      const alert = new FailureAlert(this, 'FailureAlert', { ...common, notices });
      this.tellQueues('FailureAlert', alert);
      const { functionName } = alert.alert.function;
      new CfnOutput(this, 'FailureAlertFunctionName', { value: functionName });
    }
  }

  private tellQueues(
    name: string,
    { queue, deadLetterQueue }: { readonly queue: IQueue; readonly deadLetterQueue: IQueue },
  ): void {
    new CfnOutput(this, `${name}QueueUrl`, { value: queue.queueUrl });
    new CfnOutput(this, `${name}DeadLetterQueueUrl`, { value: deadLetterQueue.queueUrl });
  }
}
