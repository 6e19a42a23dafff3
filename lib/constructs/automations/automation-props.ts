import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Settings } from '../../config.ts';
import type { FunctionDefaults } from '../lambda-function.ts';

/** What every automation is made of. */
export interface AutomationProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  readonly eventBus: EventBus;
  /** Told of what needs an operator. */
  readonly alarmTopic: ITopic | undefined;
}

/** One that calls the SMS service. */
export interface ServiceAutomationProps extends AutomationProps {
  /** Where the SMS service answers. */
  readonly serviceBaseUrl: string;
}
