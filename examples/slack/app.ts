import { App, CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { EventField, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SmsPipeline, Target } from '../../lib/public/index.ts';

const app = new App();
const stack = new Stack(app, 'SmsToSlack');
const parameter = (name: string, description: string) =>
  new CfnParameter(stack, name, { description }).valueAsString;

const webhook = Secret.fromSecretNameV2(
  stack,
  'SlackWebhook',
  parameter('SlackCredentialsName', 'The secret that holds the URL of the incoming webhook.'),
);
const field = (name: string) => EventField.fromPath(`$.detail.${name}`);
const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text } });

/** Posts a message to the channel for each event. EventBridge sends a header with a key, which Slack ignores. */
const slack = (message: Record<string, unknown>) =>
  Target.apiDestination({
    id: 'Slack',
    url: webhook.secretValue.unsafeUnwrap(),
    keyHeader: 'x-webhook-url',
    keySecret: webhook,
    rateLimitPerSecond: 1,
    event: RuleTargetInput.fromObject(message),
  });

const sms = SmsPipeline.fromAttributes(stack, 'Sms', {
  pipelineName: parameter('PipelineName', 'The output PipelineName of the pipeline.'),
  eventBusName: parameter('BusName', 'The output EventBusName of the pipeline.'),
  alarms: {
    topic: Topic.fromTopicArn(
      stack,
      'Alarms',
      parameter('AlarmTopicArn', 'Notified of messages that Slack refused.'),
    ),
  },
});
// Ids and texts are of others. Each is the whole text of a block, because EventBridge would not escape it within a longer one.
const failed = `An SMS was not delivered: ${field('status')}, ${field('errorReason')}`;
const failures = sms.events.onDeliveryFailed(
  slack({ text: failed, blocks: [section(failed), section(field('messageId'))] }),
);
const replies = sms.events.onReply(
  slack({
    text: 'A reply arrived.',
    blocks: [section('A reply arrived.'), section(field('replyId')), section(field('text'))],
  }),
);

new CfnOutput(stack, 'FailureRuleName', { value: failures.rule.ruleName });
new CfnOutput(stack, 'ReplyRuleName', { value: replies.rule.ruleName });
app.synth();
