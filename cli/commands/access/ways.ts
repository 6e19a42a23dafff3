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

/**
 * Lists the ways by which a principal of AWS sees whole numbers. A way whose part the pipeline does not have is left out.
 *
 * @param outputs of the stack
 */
export function waysOf(outputs: Readonly<Record<string, string>>): readonly Way[] {
  const [, partition = 'aws', , region = '', account = ''] = outputs.EventBusArn?.split(':') ?? [];
  const arn = (service: string, resource: string) =>
    `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const { ApiId, HistoryTableName, QuarantineTableName, EventBusName, ExportBucketName, QueryFunctionName } =
    outputs;
  const tables = [HistoryTableName, QuarantineTableName].flatMap((name) =>
    name === undefined ? [] : [`table/${name}`, `table/${name}/index/any`, `table/${name}/stream/any`],
  );
  const queues = Object.entries(outputs).flatMap(([name, url]) =>
    /QueueUrl$/.test(name) ? [url.slice(url.lastIndexOf('/') + 1)] : [],
  );
  const audited = `a line QUERY-02 in ${outputs.AuditLogGroupName}, for ${outputs.AuditLogRetentionDays} days`;
  const ways: readonly Way[] = [
    {
      name: 'query API',
      shows: 'history and quarantine',
      actions: ['execute-api:Invoke'],
      resources: [arn('execute-api', `${ApiId}/$default/GET/v1/messages/any`)],
      trace: audited,
    },
    {
      name: 'function query',
      shows: 'history and quarantine, past the API',
      actions: ['lambda:InvokeFunction'],
      resources: [arn('lambda', `function:${QueryFunctionName}`)],
      trace: audited,
    },
    {
      name: 'tables',
      shows: 'history and quarantine',
      actions: [
        'GetItem',
        'BatchGetItem',
        'Query',
        'Scan',
        'PartiQLSelect',
        'GetRecords',
        'ExportTableToPointInTime',
        'RestoreTableToPointInTime',
      ].map((action) => `dynamodb:${action}`),
      resources: tables.map((table) => arn('dynamodb', table)),
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
      shows: 'all events, by a rule of one’s own',
      actions: ['events:PutRule'],
      resources: [arn('events', `rule/${EventBusName}/any`)],
      trace: 'the rule, and PutRule in CloudTrail for 90 days',
    },
    {
      name: 'exports',
      shows: 'exported days',
      actions: ['s3:GetObject'],
      resources: ExportBucketName === undefined ? [] : [`arn:${partition}:s3:::${ExportBucketName}/any`],
      trace: dataEvents,
    },
  ];
  return ways.filter(({ resources }) => resources.length > 0);
}
