/** The app of app.py, to compare the templates. */
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/aws-events';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Automation, Contract, DetailType, Preset, SmsPipeline, Target } from 'sms-event-pipeline';

const app = new App();
const stack = new Stack(app, 'Shop');
const tickets = new Topic(stack, 'Tickets');
const sms = new SmsPipeline(stack, 'Sms', {
  contract: Contract.fromFile(process.argv[2]),
  apiKey: Secret.fromSecretNameV2(stack, 'Key', 'sms/api-key'),
  retention: Duration.days(90),
  removalPolicy: RemovalPolicy.DESTROY,
  webhook: { repairDrift: false, allowedSources: ['192.0.2.0/24'] },
  alarms: { topic: tickets, overrides: { RequestsRejected: { threshold: 50 } } },
  automations: [Automation.failureAlert({ topic: tickets }), Automation.deliveryWatch()],
});
const backup = sms.addSource('backup', { contract: Contract.preset(Preset.VONAGE_SMS) });
new CfnOutput(stack, 'BackupWebhook', { value: backup.webhookUrl });

const answer = new LambdaFunction(stack, 'Answer', {
  runtime: Runtime.PYTHON_3_14,
  handler: 'index.handler',
  code: Code.fromInline("def handler(event, context):\n    print(event['detail']['replyId'])\n"),
});
sms.grantQuery(answer);
sms.events.onReply(Target.lambda(answer), { text: Match.equalsIgnoreCase('yes') });
const rejected = Target.sqs(new Queue(stack, 'Rejected'));
sms.events.onDeliveryStatus(rejected, { status: ['rejected', 'word:held'], source: ['backup'] });
const optOuts = { detailTypes: [DetailType.OPT_OUT], detail: { by: ['person'] } };
sms.events.onEvent(Target.sns(tickets), { ...optOuts, id: 'OptOuts' });

const other = new Stack(app, 'Reports');
const attributes = { pipelineName: 'sms', eventBusName: 'the-bus', alarms: { enabled: false } };
const reports = SmsPipeline.fromAttributes(other, 'Reports', attributes);
reports.events.onDeliveryFailed(Target.sqs(new Queue(other, 'Failed')));

app.synth();
