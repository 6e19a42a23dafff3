import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { OptionsOf } from './option-table.ts';

/** Whom alarms notify, and which of them are different. Undefined topics: no one. */
export interface AlarmRecipients {
  readonly topic: ITopic | undefined;
  readonly page: ITopic | undefined;
  readonly runbookUrl: string | undefined;
  /** By the names of alarm-names.ts. */
  readonly overrides: Readonly<Record<string, AlarmOverride>>;
}

/** What is different about one alarm. */
export interface AlarmOverride extends OptionsOf<'alarms.overrides'> {
  readonly topic: ITopic | undefined;
}
