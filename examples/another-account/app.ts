import { App, CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { EventBus, Match } from 'aws-cdk-lib/aws-events';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { DetailType, SmsPipeline, Target } from '../../lib/public/index.ts';

const app = new App();
const stack = new Stack(app, 'SmsSubscriber');
const pipelineBusArn = new CfnParameter(stack, 'PipelineBusArn', {
  description: "The output EventBusArn of the pipeline, in the pipeline's account.",
});
const pipelineName = new CfnParameter(stack, 'PipelineName', {
  description: 'The output PipelineName of the pipeline.',
});

// The rule on the pipeline's bus sends events to a bus of this account.
const bus = new EventBus(stack, 'Bus');
const pipeline = SmsPipeline.fromAttributes(stack, 'Pipeline', {
  pipelineName: pipelineName.valueAsString,
  eventBusName: pipelineBusArn.valueAsString,
});
const repliesAndOptOuts = { detailTypes: [DetailType.REPLY_RECEIVED, DetailType.OPT_OUT] };
pipeline.events.onEvent(Target.eventBus(bus), repliesAndOptOuts);

// Subscriptions to this bus work as in the pipeline's account.
const inbox = new Queue(stack, 'Inbox', { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true });
const sms = SmsPipeline.fromAttributes(stack, 'Sms', {
  pipelineName: pipelineName.valueAsString,
  eventBusName: bus.eventBusName,
});
sms.events.onReply(Target.sqs(inbox), { keyword: Match.doesNotExist() });

new CfnOutput(stack, 'InboxQueueUrl', { value: inbox.queueUrl });
app.synth();
