import { join } from 'node:path';
import { App, CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { SmsPipeline, Target } from '../../lib/public/index.ts';

const app = new App();
const stack = new Stack(app, 'FailedDeliveryTickets');
const busName = new CfnParameter(stack, 'BusName', {
  description: 'The output EventBusName of the pipeline.',
});

const tickets = new TableV2(stack, 'Tickets', {
  partitionKey: { name: 'eventId', type: AttributeType.STRING },
  billing: Billing.onDemand(),
  encryption: TableEncryptionV2.awsManagedKey(),
});
const root = join(import.meta.dirname, '../..');
const openTicket = new NodejsFunction(stack, 'OpenTicket', {
  entry: join(import.meta.dirname, 'handler.ts'),
  projectRoot: root,
  depsLockFilePath: join(root, 'package-lock.json'),
  runtime: Runtime.NODEJS_24_X,
  environment: { TICKETS_TABLE_NAME: tickets.tableName },
});
tickets.grants.actions(openTicket, 'dynamodb:PutItem');

const sms = SmsPipeline.fromAttributes(stack, 'Sms', { eventBusName: busName.valueAsString });
const { rule, deadLetterQueue } = sms.events.onDeliveryFailed(Target.lambda(openTicket));
openTicket.configureAsyncInvoke({ onFailure: new SqsDestination(deadLetterQueue) });

new CfnOutput(stack, 'RuleName', { value: rule.ruleName });
new CfnOutput(stack, 'TicketsTableName', { value: tickets.tableName });
app.synth();
