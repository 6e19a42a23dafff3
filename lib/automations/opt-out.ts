import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { optOutPrefix } from '../../functions/history/index.ts';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { allowApiKey, allowOnItemsBelow, allowPublish } from '../building-blocks/grants.ts';
import { envList } from '../building-blocks/lambda-function.ts';
import type { AutomationOptions } from '../options/options.ts';
import { secretIdOf } from '../options/secret-ids.ts';
import { type AutomationProps, EventAutomation } from './event-automation.ts';

export interface OptOutAutomationProps extends AutomationProps {
  readonly historyTable: Table;
  readonly config: NonNullable<AutomationOptions['optOutContacts']>;
  readonly notices: ITopic;
}

/**
 * Moves numbers that opted out or in to the right contact lists at the SMS service, and sends a notice about a reply that may mean
 * "stop". The function may read the register of opt-outs and the API key, and publish notices.
 */
export class OptOutAutomation extends EventAutomation {
  constructor(scope: Construct, id: string, props: OptOutAutomationProps) {
    const { options, config, historyTable, notices } = props;
    super(scope, id, {
      consumer: {
        ...props,
        name: 'automations/opt-out',
        description: 'Puts contacts of numbers that opted out or in into the right lists.',
        memoryMiB: 256,
        timeoutSeconds: 60,
        environment: {
          HISTORY_TABLE_NAME: historyTable.tableName,
          API_KEY_SECRET_ID: secretIdOf(options.apiKey),
          SMS_SERVICE_BASE_URL: options.serviceBaseUrl,
          OPT_OUT_LIST_IDS: envList(config.optOutListIds),
          OPT_IN_LIST_IDS: envList(config.optInListIds),
          NOTICES_TOPIC_ARN: notices.topicArn,
        },
      },
      batchSize: 10,
      batchWindowSeconds: 0,
      maximumConcurrency: 2,
      behindAfter: Duration.minutes(15),
      loss: 'Contacts at the SMS service do not show opt-outs and opt-ins, though the register of opt-outs does',
      eventBus: props.eventBus,
      patterns: {
        Consent: { detailType: [detailTypes.optOut, detailTypes.optIn] },
        MayMeanStop: { detailType: [detailTypes.replyReceived], detail: { mayMeanStop: [true] } },
      },
    });
    const optOut = this.consumer.function;
    allowOnItemsBelow(optOut, historyTable, 'optout#' satisfies typeof optOutPrefix, 'GetItem');
    allowApiKey(optOut, options.apiKey);
    allowPublish(optOut, notices);
  }
}
