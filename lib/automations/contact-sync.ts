import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { allowApiKey, allowOnTable } from '../building-blocks/grants.ts';
import { envList } from '../building-blocks/lambda-function.ts';
import type { AutomationOptions } from '../options/options.ts';
import { secretIdOf } from '../options/secret-ids.ts';
import { type AutomationProps, EventAutomation } from './event-automation.ts';

interface ContactSyncProps extends AutomationProps {
  readonly config: NonNullable<AutomationOptions['contactSync']>;
}

/**
 * Creates or updates the contact of each number that replies, once in 24 hours. The function may read the API key, and write the
 * table of its leases.
 */
export class ContactSyncAutomation extends EventAutomation {
  constructor(scope: Construct, id: string, props: ContactSyncProps) {
    const { options, config } = props;
    super(scope, id, {
      consumer: {
        ...props,
        name: 'automations/contact-sync',
        description: 'Creates or updates the contact of each number that replies.',
        memoryMiB: 256,
        timeoutSeconds: 60,
        environment: {
          API_KEY_SECRET_ID: secretIdOf(options.apiKey),
          SMS_SERVICE_BASE_URL: options.serviceBaseUrl,
          CONTACT_LIST_IDS: envList(config.listIds),
        },
      },
      batchSize: 10,
      batchWindowSeconds: 1,
      // A low value stays within the limits of the service's API.
      maximumConcurrency: 2,
      loss: 'Contacts of numbers that reply are not created or updated at the SMS service',
      eventBus: props.eventBus,
      patterns: {
        Replies: {
          detailType: [detailTypes.replyReceived],
          detail: { mayMeanStop: [false], keyword: [{ exists: false }, { 'anything-but': ['stop'] }] },
        },
      },
    });
    const sync = this.consumer.function;
    // The time of each number's last update, by a hash of the number. An item expires after a period.
    const leases = new Table(this, 'Turns', {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(leases).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Its loss costs one more update of the contact of each number that replies, and nothing else.',
    });
    sync.addEnvironment('CONTACT_TURNS_TABLE_NAME', leases.tableName);
    allowOnTable(sync, leases, 'UpdateItem', 'DeleteItem');
    allowApiKey(sync, options.apiKey);
  }
}
