const setting = 'The value of the setting';
const consumed = 'The events of an automation';
const deadLetters = 'What an automation could not do';
const started = 'The function of an automation';

/** What each output is, by the stack of the stand-alone pipeline that has it. docs/reference/outputs.md is made from this. */
export const outputMeanings = {
  Storage: {
    HistoryTableName: 'Messages, replies and opt-outs',
    QuarantineTableName: 'What could not be stored as history',
    InsightsTableName: 'The figures',
    WebhookSecretId: 'The secret that verifies requests',
    EncryptionKeyArn: 'The key, with sms:encryptionKey=customer',
  },
  Events: {
    EventBusName: 'The bus of the events',
    EventBusArn: 'The bus of the events',
    EventArchiveName: 'The archive of the bus',
    PublisherFailuresQueueUrl: 'Changes that were not published',
    ProbeQueueUrl: 'Test events of sms doctor',
    SchemaRegistryName: 'The schemas of the events',
  },
  Pipeline: {
    WebhookUrl: 'The address that the SMS service calls',
    WebhookUrlWithRetries: 'The same, with the text that makes the service retry',
    QueryUrl: 'The address of the query API',
    ApiId: 'The HTTP API of both',
    RegionalDomainName: 'The target of the DNS record',
    RegionalHostedZoneId: 'The target of the DNS record',
    EventsQueueUrl: 'Accepted requests',
    DeadLetterQueueUrl: 'Requests that could not be stored',
    WebhookStateTableName: 'The state of the webhook',
    IngestFunctionName: 'Receives the webhook',
    SetupFunctionName: 'Registers and rotates',
    SweepFunctionName: 'Finds messages without an outcome',
    ReconcilerFunctionName: 'Asks the SMS service for messages',
    MetricsNamespace: 'The namespace of the metrics',
    ContractHash: 'The deployed contract',
    Sources: 'The names of the sources, if there are several',
    Registration: setting,
    SecretOverlapHours: setting,
    ListShards: setting,
    OptOutsBySource: 'There if opt-outs count by source',
    RetentionDays: setting,
    InsightsRetentionDays: setting,
    InsightsHourRetentionDays: setting,
    AlarmTopicArn: 'The topic of tickets',
    PageTopicArn: 'The topic of pages',
    TicketAlarmNames: 'Alarms for sms doctor --test-alarm',
    PageAlarmNames: 'Alarms for sms doctor --test-alarm',
    ConsoleUrl: 'The address of the console',
    ConsoleDomainTarget: 'The target of the DNS record of the console',
    ConsoleUserPoolId: 'The users of the console',
  },
  Registration: {
    RegisteredUrl: 'The registered address, or why none is',
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
    NoticesTopicArn: 'The topic of notices to people',
    OptOutTopicArn: 'Your topic of notices',
    FailureAlertTopicArn: 'Your topic of notices',
    ForwardSecretArn: 'The secret that signs forwarded events',
  },
  Analysis: {
    ExportBucketName: 'Exported days',
    AthenaDatabase: 'Exported days in Athena',
    AthenaTable: 'Exported days in Athena',
  },
} as const;

type Stacks = typeof outputMeanings;

/** The name of an output. */
export type OutputName = { [Stack in keyof Stacks]: keyof Stacks[Stack] }[keyof Stacks];

const meanings: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(outputMeanings));

/** Returns what an output is. */
export function meaningOf(name: OutputName): string {
  return meanings[name] ?? '';
}
