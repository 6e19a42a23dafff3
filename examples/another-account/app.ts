import { App, CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { detailTypes } from '../../events/index.ts';
import { SmsEvents, Target } from '../../lib/public/index.ts';

const app = new App();
const stack = new Stack(app, 'SmsSubscriber');
const pipelineBusArn = new CfnParameter(stack, 'PipelineBusArn', {
  description: "The output EventBusArn of the pipeline, in the pipeline's account.",
});

// The rule on the pipeline's bus sends events to a bus of this account.
const bus = new EventBus(stack, 'Bus');
const pipeline = SmsEvents.fromBusName(stack, 'Pipeline', pipelineBusArn.valueAsString);
pipeline.onEvent({ detailType: [detailTypes.replyReceived, detailTypes.optOut] }, Target.eventBus(bus));

// Subscriptions to this bus work as in the pipeline's account.
const inbox = new Queue(stack, 'Inbox', { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true });
const sms = new SmsEvents(stack, 'Sms', { bus });
sms.onReply({ keyword: { exists: false } }, Target.sqs(inbox));

new CfnOutput(stack, 'InboxQueueUrl', { value: inbox.queueUrl });
app.synth();
