import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { detailTypes } from '../../functions/bus/event-types.ts';
import { allowApiKey } from '../building-blocks/grants.ts';
import { EventAutomation, type ServiceAutomationProps } from './event-automation.ts';

/** When each number's contact was last brought up to date, by a hash of the number; forgotten after a period. */
class ContactTurnsTable extends Table {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'Holds nothing that is missed: without it, a number that replies has its contact brought up to date once more.',
    });
  }
}

/**
 * Makes or updates the contact of each number that replies, once a period. The function may read the API key, and read and
 * write the table of whose turn it was.
 */
export class ContactSyncAutomation extends EventAutomation {
  constructor(scope: Construct, id: string, props: ServiceAutomationProps) {
    const { defaults, settings, eventBus, alarmTopic } = props;
    super(scope, id, {
      consumer: {
        ...defaults,
        name: 'automations/contact-sync',
        description: 'Makes or updates the contact of each number that replies.',
        memoryMiB: 256,
        timeoutSeconds: 60,
        environment: {
          API_KEY_SECRET_ID: settings.apiKeySecretName,
          SMS_SERVICE_BASE_URL: props.serviceBaseUrl,
          CONTACT_LIST_IDS: settings.contactListIds.join(','),
          CONTACT_SYNC_PERIOD_HOURS: String(settings.contactSyncPeriodHours),
        },
      },
      batchSize: 10,
      batchWindowSeconds: 1,
      // Few, within the limits of the service's API.
      maximumConcurrency: 2,
      loss: 'Contacts of who replies are not made or updated at the SMS service',
      eventBus,
      patterns: {
        Replies: {
          detailType: [detailTypes.replyReceived],
          detail: { mayMeanStop: [false], keyword: [{ exists: false }, { 'anything-but': ['stop'] }] },
        },
      },
      alarmTopic,
    });
    const sync = this.consumer.function;
    const turns = new ContactTurnsTable(this, 'Turns');
    sync.addEnvironment('CONTACT_TURNS_TABLE_NAME', turns.tableName);
    turns.grants.actions(sync, 'dynamodb:UpdateItem', 'dynamodb:DeleteItem');
    allowApiKey(sync, settings.apiKeySecretName);
  }
}
