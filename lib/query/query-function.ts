import { Duration, Lazy, Validations } from 'aws-cdk-lib';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { ContractFacts } from '../../contract/events/contract-facts.ts';
import { sendTimeIndex } from '../../functions/insights/index.ts';
import type { idMaskKeyPrefix } from '../../functions/query/index.ts';
import type { PipelineApi } from '../api/pipeline-api.ts';
import {
  allowOnItemsBelow,
  allowOnTable,
  allowQueryOn,
  historyIndexNames,
} from '../building-blocks/grants.ts';
import { envNumber, type FunctionContext, LambdaFunction } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../options/options.ts';
import { grantQueries } from './grant-queries.ts';

/** Answers queries of the delivery history at the HTTP API. */
export function addQuery(
  scope: Construct,
  options: PipelineOptions,
  props: Omit<QueryFunctionProps, 'options'>,
): QueryFunction {
  const query = new QueryFunction(scope, 'Query', { options, ...props });
  addOutput(scope, options, 'QueryUrl', query.url);
  addOutput(scope, options, 'QueryFunctionName', query.function.functionName);
  addOutput(scope, options, 'AuditLogGroupName', query.logGroup.logGroupName);
  addOutput(scope, options, 'AuditLogRetentionDays', envNumber(options.logs.auditRetention));
  return query;
}

export interface QueryFunctionProps extends FunctionContext {
  readonly api: PipelineApi;
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly insightsTable: Table;
  /** The names of the sources whose messages are answered for; more may be added until synthesis. */
  readonly sources: readonly string[];
  /** The contract of each source. */
  readonly contracts: readonly ContractFacts[];
}

/** Returns the claim of a token that holds the groups of a user of the console: Cognito's own, or that of the company's provider. */
export function groupsClaimOf({ console }: PipelineOptions): string {
  return console?.oidc?.groupsClaim ?? 'cognito:groups';
}

/** All queries are below this path; the function itself answers 404 and 405, as problem details. */
const path = '/v1';

/** The path of the one route that all queries share. */
export const queriesPath = `${path}/{proxy+}`;

/** Queries share the API and Lambda's concurrency with the webhook, so they get a small part of its limit. */
const throttle = { ratePerSecond: 20, burst: 40 };

/** Answers queries of the delivery history that are signed with IAM. The function may read the three tables by key, and scan nothing. With a console it may write the key of masked ids. */
export class QueryFunction extends LambdaFunction {
  /** The base URL of queries, without a slash at the end. */
  readonly url: string;
  private readonly apiId: string;

  constructor(scope: Construct, id: string, props: QueryFunctionProps) {
    const { options, api, historyTable, quarantineTable, insightsTable } = props;
    const { numbers, defaultCountry } = options.functionSources.contract.events;
    super(scope, id, {
      ...props,
      name: 'query',
      isAudited: true,
      description: 'Answers queries of the delivery history.',
      memoryMiB: 512,
      timeoutSeconds: 10,
      environment: {
        HISTORY_TABLE_NAME: historyTable.tableName,
        QUARANTINE_TABLE_NAME: quarantineTable.tableName,
        LIST_SHARDS: envNumber(options.listShards),
        INSIGHTS_TABLE: options.insights === undefined ? '' : insightsTable.tableName,
        NUMBERS: numbers,
        DEFAULT_COUNTRY: defaultCountry ?? '',
        GROUPS_CLAIM: groupsClaimOf(options),
        // Sources may be added later.
        SOURCES: Lazy.string({ produce: () => props.sources.join(',') }),
        // Only pages of the console read it, and a pipeline with one has few enough sources for 4 KB of environment.
        CONTRACTS:
          options.console === undefined
            ? '[]'
            : Lazy.string({ produce: () => JSON.stringify(props.contracts) }),
      },
    });
    allowQueryOn(this.function, historyTable, historyIndexNames);
    allowOnTable(this.function, historyTable, 'GetItem', 'BatchGetItem');
    // Users of the console get some ids masked. The function makes the key for it once.
    if (options.console !== undefined)
      allowOnItemsBelow(this.function, historyTable, 'id-mask#' satisfies typeof idMaskKeyPrefix, 'PutItem');
    allowOnTable(this.function, quarantineTable, 'GetItem', 'Query');
    if (options.insights !== undefined) {
      allowQueryOn(this.function, insightsTable, [sendTimeIndex]);
      allowOnTable(this.function, insightsTable, 'BatchGetItem', 'Query');
    }
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by API Gateway only, which is synchronous: a query that fails is answered with 5xx, and the caller retries it.',
    });
    const route = api.addRoute(queriesPath, this.function, new HttpIamAuthorizer());
    api.throttle(route, `ANY ${queriesPath}`, throttle);
    this.url = `${api.url}${path}`;
    this.apiId = route.httpApi.apiId;
    this.addAlarms();
  }

  /** Allows queries and nothing else. */
  grantQuery(grantee: IGrantable): Grant {
    return grantQueries(this, this.apiId, grantee);
  }

  private addAlarms(): void {
    const period = Duration.minutes(5);
    this.addAlarm('QueryErrors', {
      metric: sumOf(
        { failed: this.metricCounted('QueryFailed'), errors: this.function.metricErrors() },
        period,
      ),
      threshold: 3,
      runbook: 'Questions are not answered',
      cause:
        'Queries were answered with 5xx: DynamoDB failed or throttled the reads (QueryFailed), or the function "query" crashed, timed out or could not start (Errors).',
      impact: 'Some or all queries of the delivery history fail; events are still received and stored.',
      firstStep:
        'Read QUERY-01 in the log group of "query", and look at throttled reads of the history table and its indexes. No QUERY-01: read the error there; if it began with a deployment, fix it and deploy again.',
    });
  }
}
