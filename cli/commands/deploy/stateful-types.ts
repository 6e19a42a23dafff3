/** What a resource holds that CloudFormation does not bring back. */
interface StatefulType {
  /** What is lost with it, for the question of `sms deploy`. Left out if the pipeline makes the content again. */
  readonly lost?: string;
  /**
   * The properties whose change replaces the resource ("Update requires: Replacement" on the type's page in the CloudFormation Template Reference),
   * or loses its content in another way.
   */
  readonly pinned: readonly string[];
}

/** The types of resources that hold data. `sms deploy` asks before it removes one, and a test pins their names and properties. */
export const statefulTypes: Readonly<Record<string, StatefulType>> = {
  // The webhook's address, which the SMS service was given.
  'AWS::ApiGatewayV2::Api': { lost: 'an API with its address', pinned: ['ProtocolType'] },
  // DNS points to it. A change of the name replaces it, and the user wants that.
  'AWS::ApiGatewayV2::DomainName': {
    lost: 'the domain name of the API, which the SMS service may use',
    pinned: [],
  },
  'AWS::Cognito::UserPool': {
    lost: 'the user pool of the console, with its users and their second factors',
    pinned: ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'],
  },
  // Indexes and the stream are not replaced with the table, but are empty after a change of theirs.
  'AWS::DynamoDB::Table': {
    lost: 'a table with its items',
    pinned: [
      'TableName',
      'KeySchema',
      'AttributeDefinitions',
      'LocalSecondaryIndexes',
      'GlobalSecondaryIndexes',
      'StreamSpecification',
      'TimeToLiveSpecification',
    ],
  },
  'AWS::Events::Archive': {
    lost: 'the archive of the event bus with its events',
    pinned: ['ArchiveName', 'SourceArn'],
  },
  // Rules of other stacks and accounts are on it.
  'AWS::Events::EventBus': {
    lost: 'an event bus with the rules on it',
    pinned: ['Name', 'EventSourceName'],
  },
  'AWS::KMS::Key': {
    lost: 'a key, without which what it encrypts cannot be read',
    pinned: ['KeySpec', 'KeyUsage', 'MultiRegion'],
  },
  'AWS::Logs::LogGroup': { lost: 'a log group with its lines', pinned: ['LogGroupName'] },
  'AWS::S3::Bucket': { lost: 'a bucket with its files', pinned: ['BucketName', 'ObjectLockEnabled'] },
  // A change of what generates the value makes a new value.
  'AWS::SecretsManager::Secret': {
    lost: 'a secret, whose value is lost',
    pinned: ['Name', 'GenerateSecretString', 'SecretString'],
  },
  // The subscribers are in no template.
  'AWS::SNS::Topic': { lost: 'a topic with its subscriptions', pinned: ['TopicName', 'FifoTopic'] },
  // `sms deploy` asks only if messages are in it.
  'AWS::SQS::Queue': { pinned: ['QueueName', 'FifoQueue'] },
};
