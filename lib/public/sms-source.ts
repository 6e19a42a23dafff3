import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames } from '../../functions/base/metrics.ts';
import type { Source } from '../parts/source.ts';

/** A source of delivery reports: an account at an SMS service. */
export class SmsSource {
  /** The name, which is in the webhook's address and in the keys of messages. */
  readonly name: string;
  /** The address that the service sends its events to. */
  readonly webhookUrl: string;
  private readonly path: Source;

  /** @internal */
  static _of(name: string, path: Source): SmsSource {
    return new SmsSource(name, path);
  }

  private constructor(name: string, path: Source) {
    this.name = name;
    this.webhookUrl = path.webhookUrl;
    this.path = path;
  }

  /** Webhook requests that were acknowledged. */
  metricRequestsAccepted(options: MetricOptions = {}): Metric {
    return this.path.worker.consumer.metricCounted(metricNames.accepted).with(options);
  }

  /** Webhook requests that were answered with 401. */
  metricRequestsRejected(options: MetricOptions = {}): Metric {
    return this.path.ingest.metricCounted(metricNames.rejected).with(options);
  }

  /** Events that were stored, without repeated ones. */
  metricEventsStored(options: MetricOptions = {}): Metric {
    return this.path.worker.consumer.metricCounted(metricNames.stored).with(options);
  }

  /** Events that could not be read, and are in quarantine. */
  metricEventsQuarantined(options: MetricOptions = {}): Metric {
    return this.path.worker.consumer.metricCounted(metricNames.quarantined).with(options);
  }

  /** Queue messages that failed until their receives were used up. */
  metricDeadLetters(options: MetricOptions = {}): Metric {
    return this.path.worker.deadLetterQueue.metricDeadLetters().with(options);
  }
}
