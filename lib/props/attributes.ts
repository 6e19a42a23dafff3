import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';

/** Whom the alarms of subscriptions to a pipeline of another app notify. */
export interface SubscriptionAlarmsProps {
  /**
   * False makes no alarms.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Notified when a dead-letter queue receives an event, and when it is empty again.
   *
   * @default - no one, with a warning at synth
   */
  readonly topic?: ITopic;
  /**
   * Where your operators read docs/operate/alarms.md.
   *
   * @default - descriptions of alarms name the page, without a link
   */
  readonly runbookUrl?: string;
}

/** What identifies a pipeline that was made elsewhere. */
export interface SmsPipelineAttributes {
  /** The output `PipelineName` of the pipeline. Subscriptions get its events alone; those of every pipeline on the bus with `*`. */
  readonly pipelineName: string;
  /** The output `EventBusName` of the pipeline; `EventBusArn` for another account's. */
  readonly eventBusName: string;
  /**
   * The output `ApiId` of the pipeline.
   *
   * @default - `grantQuery` throws
   */
  readonly apiId?: string;
  /**
   * Whom the alarms of subscriptions notify.
   *
   * @default - alarms that notify no one, with a warning at synth
   */
  readonly alarms?: SubscriptionAlarmsProps;
  /**
   * Encrypts the dead-letter queues of subscriptions. Its policy must let EventBridge use it (docs/reference/props.md, "A key of your own").
   *
   * @default - a key that SQS owns
   */
  readonly encryptionKey?: IKey;
}
