import { Duration } from 'aws-cdk-lib';
import { type Table, TableGrants } from 'aws-cdk-lib/aws-dynamodb';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { detailTypes } from '../../functions/bus/event-types.ts';
import { allowApiKey, allowPublish } from '../building-blocks/grants.ts';
import { EventAutomation, type ServiceAutomationProps } from './event-automation.ts';

export interface OptOutAutomationProps extends ServiceAutomationProps {
  readonly historyTable: Table;
  readonly notices: Topic;
}

/**
 * Tells the SMS service who wants no more messages, or wants them again, and a person who may want none. The function may read
 * items of history and the API key, and publish notices.
 */
export class OptOutAutomation extends EventAutomation {
  constructor(scope: Construct, id: string, props: OptOutAutomationProps) {
    const { defaults, settings, eventBus, historyTable, notices, alarmTopic } = props;
    super(scope, id, {
      consumer: {
        ...defaults,
        name: 'automations/opt-out',
        description: 'Puts contacts of numbers that opted out or in into the right lists.',
        memoryMiB: 256,
        timeoutSeconds: 60,
        environment: {
          HISTORY_TABLE_NAME: historyTable.tableName,
          API_KEY_SECRET_ID: settings.apiKeySecretName,
          SMS_SERVICE_BASE_URL: props.serviceBaseUrl,
          OPT_OUT_LIST_IDS: settings.optOutListIds.join(','),
          OPT_IN_LIST_IDS: settings.optInListIds.join(','),
          NOTICES_TOPIC_ARN: notices.topicArn,
        },
      },
      batchSize: 10,
      batchWindowSeconds: 0,
      maximumConcurrency: 2,
      behindAfter: Duration.minutes(15),
      loss: 'Contacts at the SMS service do not show who opted out or in, though the register of opt-outs does',
      eventBus,
      patterns: {
        Consent: { detailType: [detailTypes.optOut, detailTypes.optIn] },
        MayMeanStop: { detailType: [detailTypes.replyReceived], detail: { mayMeanStop: [true] } },
      },
      alarmTopic,
    });
    const optOut = this.consumer.function;
    // Not historyTable.grants: that adds every index of the table.
    new TableGrants({ table: historyTable, hasIndex: false }).actions(optOut, 'dynamodb:GetItem');
    allowApiKey(optOut, settings.apiKeySecretName);
    allowPublish(optOut, notices);
  }
}
