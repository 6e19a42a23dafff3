const setting = 'The value of the setting with this name';
const consumed = 'The queue of the events that wait for this automation';
const deadLetters = 'The dead-letter queue of this automation, with the events that failed all attempts';
const started = 'The function of this automation';

/** What each output is, by the subject that it belongs to. docs/reference/outputs.md is made from this. */
export const outputMeanings = {
  Receive: {
    WebhookUrl: 'The address that the SMS service calls',
    WebhookUrlWithRetries: 'The same address, with the text that makes the service retry',
    ApiId: 'The id of the HTTP API that has the webhook and the query API',
    RegionalDomainName: 'The target of the DNS record of your domain',
    RegionalHostedZoneId: 'The hosted zone of this target, for an alias record of Route 53',
    EventsQueueUrl: 'The queue of accepted requests',
    DeadLetterQueueUrl: 'The dead-letter queue of requests that could not be stored',
    IngestFunctionName: 'The function that receives the requests of the webhook',
    ContractHash: 'The hash of the deployed contract',
    Sources: 'The names of the sources, if there are several',
  },
  Registration: {
    Registration: setting,
    RegisteredUrl: 'The address that is registered at the SMS service, or why none is registered',
    WebhookSecretId: 'The secret that verifies requests of the SMS service',
    WebhookStateTableName: 'The table with the state of the webhook',
    SetupFunctionName: 'The function that registers the webhook and rotates its secret',
    SecretOverlapHours: setting,
  },
  Lookups: {
    LookupFunctionName: 'The function that asks the SMS service for messages',
  },
  History: {
    HistoryTableName: 'The table of messages, replies and opt-outs',
    QuarantineTableName: 'The table of requests and events that could not be stored in the history',
    SweepFunctionName: 'The function that marks messages without an outcome',
    RetentionDays: setting,
    ListShards: setting,
    OptOutsBySource: 'The output exists if opt-outs count by source',
    EncryptionKeyArn: 'The key of tables, queues, secrets and topics, with sms:encryptionKey=customer',
  },
  Publish: {
    PipelineName: 'The name of the pipeline, which its events have as `pipeline`',
    EventBusName: 'The event bus on which the pipeline publishes',
    EventBusArn: 'The event bus on which the pipeline publishes',
    EventArchiveName: 'The archive of the bus, from which events are replayed',
    PublisherFailuresQueueUrl: 'The queue of changes that could not be published',
    ProbeQueueUrl: 'The queue that receives the test events of sms doctor',
  },
  Query: {
    QueryUrl: 'The address of the query API',
    QueryFunctionName: 'The function that answers queries',
    AuditLogGroupName: 'The log group that says who asked for whole numbers',
    AuditLogRetentionDays: setting,
  },
  Insights: {
    InsightsTableName: 'The table of the figures',
    InsightsRetentionDays: setting,
    InsightsHourRetentionDays: setting,
  },
  Automations: {
    OptOutQueueUrl: consumed,
    ContactSyncQueueUrl: consumed,
    FailureAlertQueueUrl: consumed,
    ForwardQueueUrl: consumed,
    OptOutDeadLetterQueueUrl: deadLetters,
    ContactSyncDeadLetterQueueUrl: deadLetters,
    FailureAlertDeadLetterQueueUrl: deadLetters,
    ForwardDeadLetterQueueUrl: deadLetters,
    FailureAlertFunctionName: started,
    BillingWatchFunctionName: started,
    DeliveryWatchFunctionName: started,
    NoticesTopicArn: 'The topic of notices to people, to which you subscribe',
    OptOutTopicArn: 'Your own topic of notices',
    FailureAlertTopicArn: 'Your own topic of notices',
    ForwardSecretArn: 'The secret that signs forwarded events',
  },
  Console: {
    ConsoleUrl: 'The address of the console',
    ConsoleDomainTarget: 'The target of the DNS record of the console',
    ConsoleUserPoolId: 'The user pool of Cognito with the users of the console',
  },
  Export: {
    ExportBucketName: 'The bucket of the exported days',
    AthenaDatabase: 'The database of the exported days in Athena',
    AthenaTable: 'The table of the exported days in Athena',
  },
  Alarms: {
    MetricsNamespace: 'The namespace of the metrics in CloudWatch',
    AlarmTopicArn: 'The topic of tickets',
    PageTopicArn: 'The topic of pages',
    TicketAlarmNames: 'The alarms that sms doctor --test-alarm sets off',
    PageAlarmNames: 'The alarms that sms doctor --test-alarm sets off',
  },
} as const;

type Subjects = typeof outputMeanings;

/** The name of an output. */
export type OutputName = { [Subject in keyof Subjects]: keyof Subjects[Subject] }[keyof Subjects];

const meanings: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(outputMeanings));

/** Returns what an output is. */
export function meaningOf(name: OutputName): string {
  return meanings[name] ?? '';
}
