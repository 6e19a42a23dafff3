import { Validations } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type FunctionDefaults, LambdaFunction } from './lambda-function.ts';
import { OperatorAlarm } from './operator-alarm.ts';

export interface IngestFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly eventsQueue: Queue;
  readonly webhookSecret: ISecret;
  readonly webhookUrl: string;
  readonly alarmTopic: ITopic | undefined;
}

/** The function behind the webhook; it may read the webhook secret and send to the events queue. */
export class IngestFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: IngestFunctionProps) {
    super(scope, id, {
      ...props.defaults,
      name: 'ingest',
      description: 'Verifies webhook requests and puts them into the events queue.',
      memoryMiB: 512,
      // Room for every call it makes to fail slowly and be tried again, so that it still answers 503 itself.
      timeoutSeconds: 20,
      environment: {
        EVENTS_QUEUE_URL: props.eventsQueue.queueUrl,
        WEBHOOK_SECRET_ID: props.webhookSecret.secretArn,
        WEBHOOK_URL: props.webhookUrl,
      },
    });
    props.eventsQueue.grant(this.function, 'sqs:SendMessage');
    props.webhookSecret.grantRead(this.function);
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by API Gateway only, which is synchronous: a request that fails is answered with 5xx and raises an alarm.',
    });
    new OperatorAlarm(this, 'RequestsRejected', {
      metric: this.metricCounted('RequestsRejected'),
      threshold: 10,
      evaluationPeriods: 1,
      cause:
        'Requests came that could not be verified: the contract says the signature wrongly, the secret was rotated elsewhere, or somebody forges events.',
      impact:
        'They were answered with 401 and not stored; if they were genuine, delivery reports are missing.',
      firstStep:
        'Read the reason in the log group of "ingest". For signature-mismatch invoke the setup function with {"action":"status"}; if the webhook is ours, invoke it with {"action":"register"}, which stores the current secret. For any other reason compare webhook.signature of the contract with a real request.',
      topic: props.alarmTopic,
    });
  }
}
