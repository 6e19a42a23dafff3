import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** Whom alarms notify; undefined topics: no one. */
export interface AlarmRecipients {
  readonly topic: ITopic | undefined;
  readonly page: ITopic | undefined;
  readonly runbookUrl: string | undefined;
}
