import type { Construct } from 'constructs';
import { detailTypes } from '../../../functions/core/bus/detail-types.ts';
import { allowApiKey } from '../secret-access.ts';
import type { ServiceAutomationProps } from './automation-props.ts';
import { ContactTurnsTable } from './contact-turns-table.ts';
import { EventAutomation } from './event-automation.ts';

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
