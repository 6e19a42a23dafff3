import { Duration, Validations } from 'aws-cdk-lib';
import { HttpMethod, type HttpRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { type Table, TableGrants } from 'aws-cdk-lib/aws-dynamodb';
import { Role } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { PipelineApi } from '../api/pipeline-api.ts';
import { acknowledgeWildcard, allowQueryOn } from '../building-blocks/grants.ts';
import { type FunctionDefaults, LambdaFunction } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import type { Settings } from '../settings/read-settings.ts';

export interface QueryFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  readonly api: PipelineApi;
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly alarmTopic: ITopic | undefined;
}

/** Behind it, all that is asked: the function answers 404 and 405 itself, as problem details. */
const path = '/v1';

/** The route that all of it has. */
export const queriesPath = `${path}/{proxy+}`;

/** Questions share the API and Lambda's concurrency with the webhook, so they get a small part of what it gets. */
const throttle = { ratePerSecond: 20, burst: 40 };

/** Answers of 5xx within five minutes that tell of more than one call of DynamoDB gone wrong. */
const failuresToAlarm = 3;

/** Answers questions about delivery history to who signs with IAM. The function may read the two tables by key, and scan nothing. */
export class QueryFunction extends LambdaFunction {
  /** Where it answers, without a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: QueryFunctionProps) {
    const { settings, historyTable, quarantineTable } = props;
    super(scope, id, {
      ...props.defaults,
      name: 'query',
      description: 'Answers questions about the delivery history.',
      memoryMiB: 512,
      timeoutSeconds: 10,
      reservedConcurrency: settings.queryReservedConcurrency,
      environment: {
        HISTORY_TABLE_NAME: historyTable.tableName,
        QUARANTINE_TABLE_NAME: quarantineTable.tableName,
        WORKLIST_SHARDS: String(settings.worklistShards),
      },
    });
    allowQueryOn(this.function, historyTable, ['byPhone', 'byWorklist', 'bySend']);
    // Not historyTable.grants: that adds every index of the table.
    new TableGrants({ table: historyTable, hasIndex: false }).actions(
      this.function,
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
    );
    quarantineTable.grants.actions(this.function, 'dynamodb:GetItem', 'dynamodb:Query');
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by API Gateway only, which is synchronous: a question that fails is answered with 5xx, and whoever asked it asks again.',
    });
    const route = props.api.addRoute(queriesPath, this.function, new HttpIamAuthorizer());
    props.api.throttle(route, `ANY ${queriesPath}`, throttle);
    this.url = `${props.api.url}${path}`;
    if (settings.queryRoleArn !== undefined) this.allow(settings.queryRoleArn, route);
    this.addAlarms(props.alarmTopic);
  }

  /** Gives a role of the account a policy with which it may ask, and nothing else. */
  private allow(roleArn: string, route: HttpRoute): void {
    const role = Role.fromRoleArn(this, 'Caller', roleArn);
    const { principalStatement } = route.grantInvoke(role, {
      httpMethods: [HttpMethod.GET, HttpMethod.HEAD],
    });
    for (const resourceArn of principalStatement?.resources ?? [])
      acknowledgeWildcard(
        this,
        resourceArn,
        'The wildcards stand for the only stage of this API and for what is asked below one route of it: the ids of messages, numbers and sends.',
      );
  }

  private addAlarms(topic: ITopic | undefined): void {
    const unanswered =
      'Questions about delivery history are not answered, all of them or some; events still come in and are stored.';
    new OperatorAlarm(this, 'QueryFailed', {
      metric: this.metricCounted('QueryFailed'),
      threshold: failuresToAlarm,
      evaluationPeriods: 1,
      runbook: 'Questions are not answered',
      cause: `Within five minutes ${failuresToAlarm} questions or more were answered with 5xx: DynamoDB failed, or throttled the reads.`,
      impact: unanswered,
      firstStep:
        'Read QUERY-01 in the log group of "query", and look at throttled reads of the history table and its indexes.',
      topic,
    });
    new OperatorAlarm(this, 'QueryErrors', {
      metric: this.function.metricErrors({ period: Duration.minutes(5), statistic: 'Sum' }),
      threshold: failuresToAlarm,
      evaluationPeriods: 1,
      runbook: 'Questions are not answered',
      cause: `Within five minutes the function "query" crashed, timed out or could not start ${failuresToAlarm} times or more.`,
      impact: unanswered,
      firstStep:
        'Read the error in the log group of "query". If it began with a deployment, mend it and deploy again.',
      topic,
    });
  }
}
