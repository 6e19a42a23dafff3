import { type App, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { durableQueueProps } from '../../lib/building-blocks/queues.ts';
import { SmsPipeline } from '../../lib/public/sms-pipeline.ts';
import { Target } from '../../lib/public/target.ts';
import { receiversOf } from './arguments.ts';

/** The settings of a pipeline name the topic of its alarms, so its ARN must be known before the deployment. */
export const alarmTopicName = (stackName: string) => `${stackName}-Alarms`;

/** Subscribes to the bus as a team's own stack does, and to the topics of notices and alarms as an operator does. */
export class ReceiversStack extends Stack {
  constructor(app: App, stackName: string, { pipelineName, eventBus, noticesTopic }: SmsPipeline) {
    super(app, receiversOf(stackName), { description: 'SMS pipeline: what an acceptance run receives.' });
    if (noticesTopic === undefined) throw new Error('no topic of notices');
    const alarmTopic = new Topic(this, 'AlarmTopic', { topicName: alarmTopicName(stackName) });
    Validations.of(alarmTopic).acknowledge({
      id: 'AwsSolutions-SNS3',
      reason: 'A policy of its own would replace the one that allows CloudWatch to publish.',
    });
    const [received, notices, alarms] = [
      this.addQueue('Received'),
      this.addQueue('Notices'),
      this.addQueue('Alarms'),
    ];
    const { deliveryEvent, statusChanged, conflict, replyReceived, optOut } = detailTypes;
    const { rule } = SmsPipeline.fromAttributes(this, 'Sms', {
      pipelineName,
      eventBusName: eventBus.eventBusName,
      alarms: { enabled: false },
    }).events.onEvent(Target.sqs(received), {
      detailTypes: [deliveryEvent, statusChanged, conflict, replyReceived, optOut],
    });
    for (const [publisher, queue] of [
      [noticesTopic, notices],
      [alarmTopic, alarms],
    ] as const)
      Validations.of(
        publisher.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true })),
      ).acknowledge({
        id: 'Serverless-SNSRedrivePolicy',
        reason: 'A notice that does not arrive fails the run.',
      });
    for (const [name, value] of Object.entries({
      ReceivedQueueUrl: received.queueUrl,
      ReceivedRuleName: rule.ruleName,
      NoticesQueueUrl: notices.queueUrl,
      AlarmsQueueUrl: alarms.queueUrl,
    }))
      new CfnOutput(this, name, { value });
  }

  private addQueue(id: string): Queue {
    const queue = new Queue(this, id, durableQueueProps);
    const reason = 'The run that made it is its only reader.';
    Validations.of(queue).acknowledge(
      { id: 'Serverless-SQSRedrivePolicy', reason },
      { id: 'AwsSolutions-SQS3', reason },
    );
    return queue;
  }
}
