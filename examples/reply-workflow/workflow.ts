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
  /** Remembers the events that were worked on; its key is `eventId`. */
  readonly seen: TableV2;
  /** For replies that may mean "stop". */
  readonly urgent: IQueue;
  readonly inbox: IQueue;
}

/** Hands a reply to the people who answer: once, and at once where it may mean that they should not write again. */
export function replyWorkflow(scope: Construct, { seen, urgent, inbox }: ReplyWorkflowProps): DefinitionBody {
  const give = (id: string, queue: IQueue) =>
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
    .when(Condition.booleanEquals('$.detail.mayMeanStop', true), give('Give to urgent', urgent))
    .otherwise(give('Give to inbox', inbox));
  return DefinitionBody.fromChainable(remember.next(sort));
}
