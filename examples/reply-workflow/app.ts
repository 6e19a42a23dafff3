import { App, CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Match } from 'aws-cdk-lib/aws-events';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { SmsPipeline, Target } from '../../lib/public/index.ts';
import { replyWorkflow } from './workflow.ts';

const app = new App();
const stack = new Stack(app, 'ReplyWorkflow');
const parameter = (name: string, description: string) =>
  new CfnParameter(stack, name, { description }).valueAsString;

const queue = (id: string) =>
  new Queue(stack, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true });
const urgent = queue('Urgent');
const inbox = queue('Inbox');
const seen = new TableV2(stack, 'Seen', {
  partitionKey: { name: 'eventId', type: AttributeType.STRING },
  billing: Billing.onDemand(),
});
const handleReply = new StateMachine(stack, 'HandleReply', {
  definitionBody: replyWorkflow(stack, { seen, urgent, inbox }),
});

const sms = SmsPipeline.fromAttributes(stack, 'Sms', {
  pipelineName: parameter('PipelineName', 'The output PipelineName of the pipeline.'),
  eventBusName: parameter('BusName', 'The output EventBusName of the pipeline.'),
});
const replies = sms.events.onReply(Target.stepFunctions(handleReply), { keyword: Match.doesNotExist() });
const optOuts = sms.events.onOptOut(
  Target.apiDestination({
    id: 'Crm',
    url: parameter('CrmUrl', 'The HTTPS URL that receives opt-outs.'),
    keyHeader: 'x-api-key',
    keySecret: Secret.fromSecretNameV2(
      stack,
      'CrmKey',
      parameter('CrmCredentialsName', 'The secret that holds the API key.'),
    ),
    rateLimitPerSecond: 5,
  }),
);

new CfnOutput(stack, 'ReplyRuleName', { value: replies.rule.ruleName });
new CfnOutput(stack, 'OptOutRuleName', { value: optOuts.rule.ruleName });
new CfnOutput(stack, 'UrgentQueueUrl', { value: urgent.queueUrl });
new CfnOutput(stack, 'InboxQueueUrl', { value: inbox.queueUrl });
app.synth();
