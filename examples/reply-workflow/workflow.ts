import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  Choice,
  Condition,
  DefinitionBody,
  JsonPath,
  Succeed,
  TaskInput,
} from 'aws-cdk-lib/aws-stepfunctions';
import { DynamoAttributeValue, DynamoPutItem, SqsSendMessage } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';

export interface ReplyWorkflowProps {
  /** Holds the ids of processed events; its key is `eventId`. */
  readonly seen: TableV2;
  /** For replies that may mean "stop". */
  readonly urgent: IQueue;
  readonly inbox: IQueue;
}

/** Queues a reply for the people who answer it: once, and as urgent if it may mean "stop". */
export function replyWorkflow(scope: Construct, { seen, urgent, inbox }: ReplyWorkflowProps): DefinitionBody {
  const send = (id: string, queue: IQueue) =>
    new SqsSendMessage(scope, id, { queue, messageBody: TaskInput.fromJsonPathAt('$.detail') });
  const remember = new DynamoPutItem(scope, 'Remember', {
    table: seen,
    item: { eventId: DynamoAttributeValue.fromString(JsonPath.stringAt('$.detail.eventId')) },
    conditionExpression: 'attribute_not_exists(eventId)',
    resultPath: JsonPath.DISCARD,
  });
  remember.addCatch(new Succeed(scope, 'Seen before'), {
    errors: ['DynamoDB.ConditionalCheckFailedException'],
  });
  const sort = new Choice(scope, 'May it mean stop?')
    .when(Condition.booleanEquals('$.detail.mayMeanStop', true), send('Give to urgent', urgent))
    .otherwise(send('Give to inbox', inbox));
  return DefinitionBody.fromChainable(remember.next(sort));
}
