import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { allowApiKey, allowPutEvents } from '../building-blocks/grants.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';
import { secretIdOf } from '../options/secret-ids.ts';
import type { AutomationProps } from './event-automation.ts';

/**
 * Checks once a day whether the card that pays for messages is about to expire. The function may read the API key and put events
 * on the bus.
 */
export class BillingWatchFunction extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: AutomationProps) {
    const { options, eventBus } = props;
    super(scope, id, {
      ...props,
      name: 'automations/billing-watch',
      description: 'Publishes an event when the card that pays for messages expires soon.',
      memoryMiB: 256,
      timeoutSeconds: 60,
      every: Duration.days(1),
      environment: {
        EVENT_BUS_NAME: eventBus.eventBusName,
        PIPELINE_NAME: options.name,
        API_KEY_SECRET_ID: secretIdOf(options.apiKey),
        SMS_SERVICE_BASE_URL: options.serviceBaseUrl,
      },
    });
    allowApiKey(this.function, options.apiKey);
    allowPutEvents(this.function, eventBus);
    this.alarmWhenRepeated('BillingWatchErrors', this.function.metricErrors(), {
      runbook: 'An automation fails',
      cause:
        'On two of three days the function "billing-watch" failed: the SMS service\'s API is down or rejects the API key, or the event could not be published.',
      impact: 'There is no event when the card that pays for messages expires.',
      firstStep:
        'Read BILLING-02 or the error in the log group of "billing-watch", and look at the card at the SMS service yourself.',
    });
  }
}
