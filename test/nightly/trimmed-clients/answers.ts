import { createHash } from 'node:crypto';
import { answer, breakOff, hang, type Step } from '../../unit/functions/base/sms-service/scripted-server.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const sent: Step = (request) => {
  const { MessageBody } = JSON.parse(request.body);
  return answer(200, { MessageId: 'id', MD5OfMessageBody: md5(MessageBody) })(request);
};

/** An error as services that speak JSON write it; those that spoke XML before name it once more in a header. */
const error = (status: number, type: string, fields: object = {}, queryError?: string) =>
  answer(
    status,
    { __type: type, message: `It is ${type}`, ...fields },
    {
      'x-amzn-requestid': 'request',
      ...(queryError ? { 'x-amzn-query-error': `${queryError};Sender` } : {}),
    },
  );

const throttled = error(400, 'com.amazonaws.sqs#RequestThrottled', {}, 'RequestThrottled');
const failing = error(500, 'com.amazonaws.sqs#InternalFailure');
const reset: Step = () => 'reset';
const message = (MD5OfBody: string) => ({
  Messages: [
    {
      MessageId: 'id',
      ReceiptHandle: 'handle',
      Body: 'body',
      MD5OfBody,
      Attributes: { ApproximateReceiveCount: '2' },
    },
  ],
});
const tooFast = error(400, 'com.amazonaws.dynamodb.v20120810#ThrottlingException', {
  throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'table' }],
});
const xmlError = (status: number, code: string) =>
  answer(
    status,
    `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>a &amp; b</Message></Error><RequestId>request</RequestId></ErrorResponse>`,
  );
const published = answer(
  200,
  '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>id</MessageId></PublishResult><ResponseMetadata><RequestId>request</RequestId></ResponseMetadata></PublishResponse>',
);
const alarm = {
  AlarmName: 'stack-QueueBehind',
  StateTransitionedTimestamp: 1_700_000_000.5,
  Threshold: 1,
};
/** Fields that no schema names, and numbers that no double holds, as some error might have. */
const strange = { Reason: 'new', Limit: 12345678901234567890n.toString(), Rate: 1.5 };

/** The server's time when it rejects the client's clock; milliseconds since the epoch. */
export const serverTime = Date.parse('2015-10-21T07:28:00Z');

/** The server's answers to the attempts of a call; the last one repeats. */
export const answers: Readonly<Record<string, readonly Step[]>> = {
  'sqs-sent': [sent],
  'sqs-throttled-once': [throttled, sent],
  'sqs-throttled': [throttled],
  'sqs-failing-once': [failing, sent],
  'sqs-failing': [failing],
  'sqs-no-json': [answer(503, '<html>Service Unavailable</html>')],
  'sqs-no-queue': [
    error(400, 'com.amazonaws.sqs#QueueDoesNotExist', {}, 'AWS.SimpleQueueService.NonExistentQueue'),
  ],
  'sqs-denied': [error(403, 'com.amazonaws.sqs#AccessDeniedException')],
  'sqs-unknown-error': [error(400, 'com.amazonaws.sqs#Unheard', strange)],
  'sqs-bad-checksum': [answer(200, { MessageId: 'id', MD5OfMessageBody: md5('another') })],
  'sqs-hanging': [hang],
  'sqs-hanging-once': [hang, sent],
  'sqs-reset': [reset],
  'sqs-reset-once': [reset, sent],
  'sqs-broken-off': [breakOff],
  'sqs-clock-ahead': [
    answer(
      403,
      { __type: 'com.amazonaws.sqs#RequestTimeTooSkewed', message: 'too skewed' },
      { date: new Date(serverTime).toUTCString() },
    ),
    sent,
  ],
  'sqs-received': [answer(200, message(md5('body')))],
  'sqs-received-bad-checksum': [answer(200, message(md5('another')))],
  'sqs-deleted-in-part': [
    answer(200, {
      Successful: [{ Id: '1' }],
      Failed: [{ Id: '2', Code: 'InternalError', SenderFault: false }],
    }),
  ],
  'sqs-attributes': [answer(200, { Attributes: { ApproximateNumberOfMessages: '3' } })],
  'dynamodb-put': [answer(200, { Attributes: {} })],
  'dynamodb-condition': [
    error(400, 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', {
      Item: { pk: { S: 'a' }, n: { N: '1' } },
    }),
  ],
  'dynamodb-throttled-once': [tooFast, answer(200, {})],
  'dynamodb-throttled': [tooFast],
  'dynamodb-failing': [error(500, 'com.amazonaws.dynamodb.v20120810#InternalServerError')],
  'dynamodb-hanging': [hang],
  'dynamodb-transaction': [
    error(400, 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException', {
      Message: 'Transaction cancelled',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed', Item: { pk: { S: 'a' } } }, { Code: 'None' }],
    }),
  ],
  'dynamodb-item': [
    answer(200, {
      Item: {
        pk: { S: 'é' },
        n: { N: '12345678901234567890' },
        b: { B: 'eA==' },
        m: { M: { s: { SS: ['x'] } } },
      },
    }),
  ],
  'dynamodb-table': [
    // More than a double holds.
    answer(200, '{"Table":{"ItemCount":9007199254740993,"CreationDateTime":1700000000.123}}'),
  ],
  'secret-read': [
    answer(200, { SecretString: '{}', VersionId: 'v', CreatedDate: 1.7e9, VersionStages: ['AWSCURRENT'] }),
  ],
  'secret-missing': [
    answer(400, {
      __type: 'ResourceNotFoundException',
      Message: "Secrets Manager can't find the specified secret.",
    }),
  ],
  'secret-undecryptable': [error(400, 'DecryptionFailure')],
  'secret-failing-once': [error(500, 'InternalServiceError'), answer(200, { SecretString: '{}' })],
  'events-put-in-part': [
    answer(200, {
      FailedEntryCount: 1,
      Entries: [{ EventId: 'e' }, { ErrorCode: 'InternalFailure', ErrorMessage: 'failed' }],
    }),
  ],
  'events-throttled-once': [
    error(400, 'ThrottlingException'),
    answer(200, { FailedEntryCount: 0, Entries: [{ EventId: 'e' }, { EventId: 'f' }] }),
  ],
  'events-refused': [error(400, 'ValidationException', strange)],
  'alarms-read': [answer(200, { MetricAlarms: [alarm], NextToken: 'more' })],
  'alarms-throttled-once': [error(400, 'Throttling', {}, 'Throttling'), answer(200, { MetricAlarms: [] })],
  'alarms-refused': [error(403, 'AccessDenied', strange, 'AccessDenied')],
  'topic-published': [published],
  'topic-missing': [xmlError(404, 'NotFound')],
  'topic-throttled-once': [xmlError(400, 'Throttling'), published],
};
