import { Duration, Validations } from 'aws-cdk-lib';
import { type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { probeMessagePrefix } from '../../functions/history/index.ts';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { eventsOf } from '../building-blocks/pipeline-events.ts';

/** Receives the events about the messages that `sms doctor` makes up, and no other: it sees there that the bus delivers. */
export class ProbeQueue extends Queue {
  constructor(scope: Construct, id: string, eventBus: IEventBus, pipeline: string) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.minutes(15),
    });
    const rule = new Rule(this, 'Probes', {
      description: 'Events about the test messages of "sms doctor".',
      eventBus,
      eventPattern: eventsOf(pipeline, {
        detailType: [detailTypes.statusChanged],
        detail: { messageId: [{ prefix: probeMessagePrefix }] },
      }),
      targets: [new SqsQueue(this)],
    });
    const reason =
      'An event that is lost here loses nothing: it is about a made-up message, and "sms doctor" reports that it did not arrive.';
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-SQS3', reason },
      { id: 'Serverless-SQSRedrivePolicy', reason },
    );
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
  }
}
