import { historyIndexes } from '../../../functions/history/index.ts';
import { sendTimeIndex } from '../../../functions/insights/index.ts';
import { methodsOf, routeNames, routes } from '../../../functions/query/index.ts';

/** A way to see whole phone numbers and texts, and who may go it. */
export interface Way {
  readonly name: string;
  /** What it shows. */
  readonly shows: string;
  /** An action that is allowed on a resource opens the way. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** What remains of each use of the way. */
  readonly trace: string;
}

const dataEvents = 'none, unless a trail of CloudTrail records data events';

/** The actions that return items of a table: reads, writes that return what was there, and copies. */
const tableActions = [
  'GetItem',
  'BatchGetItem',
  // With a condition that fails, a transaction returns the item.
  'ConditionCheckItem',
  'Query',
  'Scan',
  'PartiQLSelect',
  'PartiQLUpdate',
  'PartiQLDelete',
  'UpdateItem',
  'PutItem',
  'DeleteItem',
  'GetRecords',
  'ExportTableToPointInTime',
  'RestoreTableToPointInTime',
  'CreateBackup',
  'StartAwsBackupJob',
  'CreateTableReplica',
  'EnableKinesisStreamingDestination',
].map((action) => `dynamodb:${action}`);

/** A name of a part that a policy for all parts admits. */
const any = 'any';

/**
 * Lists the ways by which a principal of AWS sees whole numbers. A way whose part the pipeline does not have is left out.
 *
 * @param outputs of the stack
 * @param streams the ARNs of the streams of the tables
 */
export function waysOf(
  outputs: Readonly<Record<string, string>>,
  streams: readonly string[],
): readonly Way[] {
  const [, partition = 'aws', , region = '', account = ''] = outputs.EventBusArn?.split(':') ?? [];
  const arn = (service: string, resource: string) =>
    `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const { ApiId, HistoryTableName, QuarantineTableName, EventBusName, ExportBucketName } = outputs;
  const { QueryFunctionName, InsightsTableName } = outputs;
  const tables = [HistoryTableName, QuarantineTableName].flatMap((name) =>
    name === undefined
      ? []
      : [`table/${name}`, ...Object.keys(historyIndexes).map((index) => `table/${name}/index/${index}`)],
  );
  const queues = Object.entries(outputs).flatMap(([name, url]) =>
    /QueueUrl$/.test(name) ? [url.slice(url.lastIndexOf('/') + 1)] : [],
  );
  const endingWith = (end: string) =>
    Object.entries(outputs).flatMap(([name, value]) => (name.endsWith(end) ? [value] : []));
  const ofFunctions = (names: readonly (string | undefined)[]) =>
    names.flatMap((name) =>
      name === undefined
        ? []
        : [arn('lambda', `function:${name}`), arn('lambda', `function:${name}:$LATEST`)],
    );
  const ways: readonly Way[] = [
    {
      name: 'query API',
      shows: 'history and quarantine',
      actions: ['execute-api:Invoke'],
      resources: routeNames.flatMap((name) =>
        methodsOf(name).map((method) =>
          arn('execute-api', `${ApiId}/$default/${method}${routes[name].path.replaceAll(/\{\w+\}/g, any)}`),
        ),
      ),
      trace: `a line QUERY-02 in ${outputs.AuditLogGroupName}, for ${outputs.AuditLogRetentionDays} days`,
    },
    {
      name: 'function query',
      shows: 'history and quarantine, past the API',
      actions: ['lambda:InvokeFunction'],
      resources: ofFunctions([QueryFunctionName]),
      trace: `${dataEvents}; the line QUERY-02 has the person that the caller writes`,
    },
    {
      name: 'function setup',
      shows: 'what the SMS service answers, as sms api',
      actions: ['lambda:InvokeFunction'],
      resources: ofFunctions(endingWith('SetupFunctionName')),
      trace: dataEvents,
    },
    {
      name: 'function lookups',
      shows: 'ids of messages, which have numbers with some services',
      actions: ['lambda:InvokeFunction'],
      resources: ofFunctions(endingWith('LookupFunctionName')),
      trace: dataEvents,
    },
    {
      name: 'tables',
      shows: 'history and quarantine',
      actions: tableActions,
      resources: [...tables.map((table) => arn('dynamodb', table)), ...streams],
      trace: dataEvents,
    },
    {
      name: 'table of insights',
      shows: 'ids of messages, which have numbers with some services, and of sends',
      actions: tableActions,
      resources:
        InsightsTableName === undefined
          ? []
          : ['', `/index/${sendTimeIndex}`].map((part) =>
              arn('dynamodb', `table/${InsightsTableName}${part}`),
            ),
      trace: dataEvents,
    },
    {
      name: 'queues',
      shows: 'requests and events that wait',
      actions: ['sqs:ReceiveMessage'],
      resources: queues.map((queue) => arn('sqs', queue)),
      trace: dataEvents,
    },
    {
      name: 'bus',
      shows: 'all events, by a rule or a target of one’s own',
      actions: ['events:PutRule', 'events:PutTargets'],
      resources: [arn('events', `rule/${EventBusName}/${any}`)],
      trace: 'the rule, and its change in CloudTrail for 90 days',
    },
    {
      name: 'exports',
      shows: 'exported days',
      actions: ['s3:GetObject', 's3:GetObjectVersion'],
      resources:
        ExportBucketName === undefined
          ? []
          : [`arn:${partition}:s3:::${ExportBucketName}/history/day=2026-01-15/AWSDynamoDB/data/${any}`],
      trace: dataEvents,
    },
  ];
  return ways.filter(({ resources }) => resources.length > 0);
}
