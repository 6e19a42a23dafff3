import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CreateResource, deployStack } from '../../../local/cloudformation/deploy-stack.ts';
import { parseTemplate } from '../../../local/cloudformation/template.ts';
import { tableCreator } from '../../../local/services/dynamodb/resources.ts';
import { eventSourceMappingCreator } from '../../../local/services/lambda/event-source-mappings.ts';
import type { EventSourceMapping } from '../../../local/services/lambda/event-sources/queue-mapping.ts';
import { FunctionRegistry } from '../../../local/services/lambda/functions.ts';
import { sqsClient } from '../../../local/services/sqs/api.ts';
import { queueCreator } from '../../../local/services/sqs/resources.ts';
import { type SqsServer, startSqsServer } from '../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../tools/support/free-port.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { until } from '../../../tools/support/until.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../support/local-lambda.ts';

const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

let tables: HistoryTables;
let sqsServer: SqsServer;
let sqs: SQSClient;
let sqsUrl: string;
let stacks = 0;
const mappings: EventSourceMapping[] = [];
const hosted: LocalFunctionUnderTest[] = [];

beforeAll(async () => {
  tables = await startHistoryTables();
  const port = await freePorts();
  sqsUrl = `http://127.0.0.1:${port}`;
  sqsServer = await startSqsServer(port);
  sqs = sqsClient(sqsUrl);
});

afterEach(async () => {
  await Promise.all(mappings.splice(0).map((mapping) => mapping.stop()));
  await Promise.all(hosted.splice(0).map(({ pool }) => pool.stop()));
});

afterAll(async () => {
  sqs.destroy();
  await sqsServer.close();
  await tables.stop();
});

/** Prints the event, and what `answer` is: an expression of `event`. */
const code = (answer: string) => `exports.handler = async (event) => {
  console.log(JSON.stringify(event.Records));
  return ${answer};
};`;

/** A table in one stack, and in another one a mapping of its stream to a function of this code. */
async function deploy(source: string, mappingProperties: Readonly<Record<string, unknown>> = {}) {
  stacks += 1;
  const fn = hostFunction(source, { limit: 4 });
  hosted.push(fn);
  const functions = new FunctionRegistry();
  functions.add({ definition: fn.definition, arn: FUNCTION_ARN, pool: fn.pool });
  const notes: string[] = [];
  const parts = {
    functions,
    mappings,
    endpoints: { DYNAMODB: tables.endpoint, SQS: sqsUrl },
    roles: { require: async () => {} },
    note: (line: string) => notes.push(line),
  };
  const creators: Record<string, CreateResource> = {
    'AWS::DynamoDB::Table': tableCreator(tables.client),
    'AWS::SQS::Queue': queueCreator(sqs),
    'AWS::Lambda::EventSourceMapping': eventSourceMappingCreator(parts),
  };
  const types = {
    creator: (type: string) => creators[type],
    isInert: () => false,
    note: (line: string) => void notes.push(line),
  };
  const storage = {
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          BillingMode: 'PAY_PER_REQUEST',
          StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        },
      },
    },
    Outputs: {
      TableName: { Value: { Ref: 'Table' } },
      Stream: {
        Value: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
        Export: { Name: `Storage${stacks}:StreamArn` },
      },
    },
  };
  const events = {
    Resources: {
      Failures: { Type: 'AWS::SQS::Queue' },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::ImportValue': `Storage${stacks}:StreamArn` },
          FunctionName: FUNCTION_ARN,
          StartingPosition: 'TRIM_HORIZON',
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Failures', 'Arn'] } } },
          ...mappingProperties,
        },
      },
    },
    Outputs: { QueueUrl: { Value: { Ref: 'Failures' } } },
  };
  const exports = new Map<string, unknown>();
  const stack = (name: string, template: object) => ({
    name: `${name}${stacks}`,
    template: parseTemplate(template),
    assets: new Map(),
  });
  const { TableName, Stream } = await deployStack(stack('Storage', storage), types, exports);
  const put = (pk: string, rest = {}) =>
    tables.client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, ...rest } }));
  const { QueueUrl } = await deployStack(stack('Events', events), types, exports);
  return {
    notes,
    QueueUrl,
    Stream,
    put,
    remove: (pk: string) => tables.client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: pk } } })),
    /** The records by invocation. */
    batches: () => recordsIn(fn.log()),
  };
}

interface GivenRecord {
  readonly eventName: string;
  readonly dynamodb: {
    readonly Keys: { readonly pk: { readonly S: string } };
    readonly SequenceNumber: string;
    readonly NewImage?: { readonly n?: { readonly N: string } };
  };
}

function recordsIn(log: string): GivenRecord[][] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('['))
    .map((line) => JSON.parse(line));
}

const keysOf = (batches: readonly (readonly GivenRecord[])[]) =>
  batches.map((records) => records.map(({ dynamodb }) => dynamodb.Keys.pk.S));

describe('the mapping of a stream of a table in another stack', () => {
  it('passes records to the function as Lambda makes them', async () => {
    const { put, remove, batches, Stream, notes } = await deploy(code('{ batchItemFailures: [] }'));
    await put('a', {
      binary: { B: Buffer.from([1, 255]) },
      deep: { M: { set: { BS: [Buffer.from('q')] } } },
    });
    await put('a', { list: { L: [{ NULL: true }, { BOOL: false }, { N: '1' }, { SS: ['s'] }] } });
    await remove('a');
    await until('all were handed on', () => batches().flat().length === 3);
    const first = { binary: { B: 'Af8=' }, deep: { M: { set: { BS: ['cQ=='] } } }, pk: { S: 'a' } };
    const second = {
      list: { L: [{ NULL: true }, { BOOL: false }, { N: '1' }, { SS: ['s'] }] },
      pk: { S: 'a' },
    };
    const record = (eventName: string, images: object) => ({
      eventID: expect.any(String),
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { pk: { S: 'a' } },
        ...images,
        SequenceNumber: expect.stringMatching(/^\d+$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      eventSourceARN: Stream,
    });
    expect(batches().flat()).toEqual([
      record('INSERT', { NewImage: first }),
      record('MODIFY', { NewImage: second, OldImage: first }),
      record('REMOVE', { OldImage: second }),
    ]);
    expect(notes).toEqual([]);
  });

  it('passes only records that match one of the filters', async () => {
    const filter = (prefix: string) => ({
      Pattern: JSON.stringify({
        eventName: ['INSERT'],
        dynamodb: { Keys: { pk: { S: [{ prefix }] } } },
      }),
    });
    const { put, batches } = await deploy(code('null'), {
      FilterCriteria: { Filters: [filter('message#'), filter('reply#')] },
    });
    for (const pk of ['message#1', 'send#1', 'message#1', 'reply#1']) await put(pk);
    await until('the last is handed on', () => keysOf(batches()).flat().includes('reply#1'));
    expect(keysOf(batches()).flat()).toEqual(['message#1', 'reply#1']);
  });

  it('reports discarded records to the on-failure queue, and continues with the others', async () => {
    const source = `exports.handler = async (event) => {
      if (event.Records.some(({ dynamodb }) => dynamodb.Keys.pk.S === 'poison')) throw new Error('no');
      console.log(JSON.stringify(event.Records));
    };`;
    const { put, batches, QueueUrl, Stream } = await deploy(source, {
      BatchSize: 4,
      MaximumBatchingWindowInSeconds: 300,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 1,
    });
    for (const pk of ['a', 'b', 'poison', 'c']) await put(pk);
    await until('the others were handed on', () => keysOf(batches()).flat().length === 3);
    expect(keysOf(batches()).flat()).toEqual(['a', 'b', 'c']);
    const Messages = await until('the queue is told', async () => {
      const received = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
      return received.Messages;
    });
    expect(Messages.map(({ Body }) => JSON.parse(Body ?? ''))).toMatchObject([
      {
        requestContext: {
          functionArn: FUNCTION_ARN,
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 2,
        },
        DDBStreamBatchInfo: { batchSize: 1, streamArn: Stream },
      },
    ]);
    expect(Messages[0]?.Body).not.toContain('poison');
  });

  it('keeps the order of each item with several batches at once', async () => {
    const { put, batches } = await deploy(code('null'), { BatchSize: 5, ParallelizationFactor: 4 });
    for (let n = 0; n < 20; n += 1) {
      for (const pk of ['a', 'b', 'c', 'd', 'e']) await put(pk, { n: { N: String(n) } });
    }
    await until('all were handed on', () => batches().flat().length === 100);
    const byItem = Object.groupBy(batches().flat(), ({ dynamodb }) => dynamodb.Keys.pk.S);
    const inOrder = Array.from({ length: 20 }, (_, n) => String(n));
    for (const records of Object.values(byItem))
      expect(records?.map(({ dynamodb }) => dynamodb.NewImage?.n?.N)).toEqual(inOrder);
  });

  it.each([
    [{ MaximumRecordAgeInSeconds: 5 }, 'MaximumRecordAgeInSeconds: expected -1, or 60 to 604800'],
    [{ StartingPosition: 'AT_TIMESTAMP' }, 'StartingPosition: '],
    [{ FilterCriteria: { Filters: [{ Pattern: '{' }] } }, 'FilterCriteria.Filters.0.Pattern: '],
  ])('stops the start for %j', async (properties, message) => {
    await expect(deploy(code('null'), properties)).rejects.toThrow(message);
  });

  it.each([
    [{ ScalingConfig: { MaximumConcurrency: 2 } }, 'ScalingConfig has no effect on one machine'],
    [
      { DestinationConfig: { OnFailure: { Destination: 'arn:aws:sns:us-east-1:000000000000:topic' } } },
      'not an SQS queue',
    ],
    [{ EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s' }, 'an event source other than'],
  ])('names what one machine does not have: %j', async (properties, line) => {
    const { notes } = await deploy(code('null'), properties);
    expect(notes).toEqual([expect.stringContaining(line)]);
  });
});
