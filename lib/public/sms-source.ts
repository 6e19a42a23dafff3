import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { metricNames } from '../../functions/base/metrics.ts';
import type { FurtherSource } from '../receive/further-source.ts';

type BuiltSource = Omit<FurtherSource, 'scope'>;

/** A source of delivery reports: an account at an SMS service. */
export class SmsSource {
  /** The name, which is in the webhook's address and in the keys of messages. */
  readonly name: string;
  /** The address that the service sends its events to. */
  readonly webhookUrl: string;
  /** The secret that the service signs its requests with. */
  readonly webhookSecret: ISecret;
  /** Accepted requests that the worker has not stored yet. */
  readonly eventsQueue: IQueue;
  /** Requests that failed until their receives were used up. */
  readonly deadLetterQueue: IQueue;
  /** Answers the webhook. */
  readonly ingestFunction: IFunction;
  /** Stores events in the delivery history. */
  readonly workerFunction: IFunction;
  /** Registers the webhook, watches it and rotates its secret. Without registration it counts signature mismatches. */
  readonly setupFunction: IFunction;
  /** Asks the service for the messages that no webhook reported; there with `lookups`. */
  readonly lookupFunction?: IFunction;
  private readonly built: BuiltSource;

  /** @internal */
  static _of(name: string, built: BuiltSource): SmsSource {
    return new SmsSource(name, built);
  }

  private constructor(name: string, built: BuiltSource) {
    this.name = name;
    this.webhookUrl = built.webhookUrl;
    this.webhookSecret = built.webhookSecret;
    this.eventsQueue = built.worker.queue;
    this.deadLetterQueue = built.worker.deadLetterQueue;
    this.ingestFunction = built.ingest.function;
    this.workerFunction = built.worker.consumer.function;
    this.setupFunction = built.setup.function;
    if (built.lookups !== undefined) this.lookupFunction = built.lookups.function;
    this.built = built;
  }

  /** Webhook requests that were acknowledged. */
  metricRequestsAccepted(options?: MetricOptions): Metric {
    return this.built.worker.consumer.metricCounted(metricNames.accepted).with(options ?? {});
  }

  /** Webhook requests that were answered with 401 or 413, and those with values that were answered with 405. */
  metricRequestsRejected(options?: MetricOptions): Metric {
    return this.built.ingest.metricCounted(metricNames.rejected).with(options ?? {});
  }

  /** Events that were stored, without repeated ones. */
  metricEventsStored(options?: MetricOptions): Metric {
    return this.built.worker.consumer.metricCounted(metricNames.stored).with(options ?? {});
  }

  /** Events that could not be read, and are in quarantine. */
  metricEventsQuarantined(options?: MetricOptions): Metric {
    return this.built.worker.consumer.metricCounted(metricNames.quarantined).with(options ?? {});
  }

  /** Queue messages that failed until their receives were used up. */
  metricDeadLetters(options?: MetricOptions): Metric {
    return this.built.worker.deadLetterQueue.metricDeadLetters().with(options ?? {});
  }
}
