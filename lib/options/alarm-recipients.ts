import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** Whom alarms notify, and which of them are different. Undefined topics: no one. */
export interface AlarmRecipients {
  readonly topic: ITopic | undefined;
  readonly page: ITopic | undefined;
  readonly runbookUrl: string | undefined;
  /** By the names of alarm-names.ts. */
  readonly overrides: Readonly<Record<string, AlarmOverride>>;
}

/** What is different about one alarm. Undefined: the alarm's own. */
export interface AlarmOverride {
  readonly enabled: boolean;
  readonly threshold: number | undefined;
  readonly evaluationPeriods: number | undefined;
  readonly datapointsToAlarm: number | undefined;
  readonly topic: ITopic | undefined;
}
