import { InvokeCommand, type InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { type SendMessageCommand, type SendMessageCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { lambdaRoutes } from '../../../../../local/services/lambda/api.ts';
import { AsyncInvocations, type LambdaParts } from '../../../../../local/services/lambda/functions.ts';
import { deadLettersOf, eventInvokeConfigCreator } from '../../../../../local/services/lambda/resources.ts';
import { until } from '../../../../../tools/support/until.ts';
import { inMemoryClient, listenerOf } from '../../../../support/in-memory-http.ts';
import { fakeRetryClock, inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';
import { resourceRequest } from '../../../../support/resource-request.ts';

const FunctionName = 'function-under-test';

/** Lambda with a function that gives back its event, or throws if the event says so. */
function startLambda(clock = fakeRetryClock()) {
  const target = inMemoryFunction((event: { throws?: boolean }) => {
    if (event.throws) throw new TypeError('no good');
    return event;
  });
  const functions = registryOf(target);
  const notes: string[] = [];
  const asyncInvocations = new AsyncInvocations(clock, (line) => notes.push(line));
  const lambda = { functions, asyncInvocations };
  const client = new LambdaClient(inMemoryClient(listenerOf(lambdaRoutes(lambda))));
  const invoke = (input: Partial<InvokeCommandInput>) =>
    client.send(new InvokeCommand({ FunctionName, ...input }));
  return { ...lambda, target, clock, notes, invoke };
}

/** The services that Lambda sends to. @returns also the messages that queues received */
function sendingServices(lambda: LambdaParts) {
  const sent: SendMessageCommandInput[] = [];
  const sqs = new SQSClient({});
  sqs.send = async ({ input }: SendMessageCommand) => void sent.push(input);
  return { sent, services: { ...lambda, sqs, sqsUrl: 'http://queues', sns: new SNSClient({}) } };
}

/** Deploys an EventInvokeConfig. @returns the messages that queues receive */
async function configure(
  lambda: LambdaParts,
  properties: object,
): Promise<readonly SendMessageCommandInput[]> {
  const { sent, services } = sendingServices(lambda);
  const create = eventInvokeConfigCreator(services, { require: async () => {} });
  await create(resourceRequest('AWS::Lambda::EventInvokeConfig', properties));
  return sent;
}

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

describe('Invoke, through the AWS SDK', () => {
  it.each([FunctionName, arn, `${arn}:live`, `${FunctionName}:1`])('runs the function %s', async (name) => {
    const Payload = JSON.stringify({ a: [1, 'ü'] });
    const answer = await startLambda().invoke({ FunctionName: name, Payload });
    expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST' });
    expect(answer.FunctionError).toBeUndefined();
    expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toEqual({ a: [1, 'ü'] });
  });

  it('answers the error of a function that throws', async () => {
    const answer = await startLambda().invoke({ Payload: JSON.stringify({ throws: true }) });
    expect(answer).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
    expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toMatchObject({
      errorType: 'TypeError',
      errorMessage: 'no good',
    });
  });

  it.each([
    ['a function that does not exist', { FunctionName: 'missing' }, 'ResourceNotFoundException'],
    ['a payload that is no JSON', { Payload: '{' }, 'InvalidRequestContentException'],
    ['another way of invoking', { InvocationType: 'DryRun' }, 'InvalidParameterValueException'],
  ] as const)('refuses %s', async (_, input, name) => {
    await expect(startLambda().invoke(input)).rejects.toMatchObject({ name });
  });
});

describe('Invoke with the invocation type Event', () => {
  const failing = { InvocationType: 'Event', Payload: JSON.stringify({ throws: true }) } as const;

  it('is answered without the result, and retried after one and two minutes', async () => {
    const { invoke, target, clock, notes } = startLambda();
    const answer = await invoke(failing);
    expect([answer.StatusCode, answer.Payload?.length ?? 0]).toEqual([202, 0]);
    await until('it is dropped', () => notes.length === 1);
    expect(target.events).toHaveLength(3);
    expect(clock.slept).toEqual([60_000, 120_000]);
    expect(notes).toEqual(['function-under-test: an event was dropped: no good']);
  });

  it.each([
    ['its attempts', { MaximumRetryAttempts: '1' }, 2],
    ['none at all', { MaximumRetryAttempts: 0 }, 1],
  ])('is retried as the settings of the function define: %s', async (_, properties, runs) => {
    const { invoke, target, notes, ...lambda } = startLambda();
    const config = { FunctionName, Qualifier: '$LATEST', ...properties };
    await configure(lambda, config);
    await invoke(failing);
    await until('it is dropped', () => notes.length > 0);
    expect(target.events).toHaveLength(runs);
  });

  it.each([
    [{ throws: true }, 'failures', 'RetriesExhausted', 'no good'],
    [{ throws: false }, 'successes', 'Success', undefined],
  ])('leaves a record at its destination: %j', async (payload, queue, condition, errorMessage) => {
    const { invoke, ...lambda } = startLambda();
    const toQueue = (name: string) => ({ Destination: `arn:aws:sqs:us-east-1:000000000000:${name}` });
    const DestinationConfig = { OnFailure: toQueue('failures'), OnSuccess: toQueue('successes') };
    const sent = await configure(lambda, { FunctionName, MaximumRetryAttempts: 0, DestinationConfig });
    await invoke({ InvocationType: 'Event', Payload: JSON.stringify(payload) });
    await until('the record is sent', () => sent.length > 0);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.QueueUrl).toBe(`http://queues/000000000000/${queue}`);
    expect(JSON.parse(sent[0]?.MessageBody ?? '')).toMatchObject({
      version: '1.0',
      requestContext: {
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test:$LATEST',
        condition,
        approximateInvokeCount: 1,
      },
      requestPayload: payload,
      responsePayload: errorMessage === undefined ? payload : { errorType: 'TypeError', errorMessage },
    });
    expect(lambda.notes).toEqual([]);
  });

  it('goes to the dead-letter queue of the function, with the error', async () => {
    const { invoke, asyncInvocations, ...lambda } = startLambda();
    const { sent, services } = sendingServices({ asyncInvocations, ...lambda });
    const queueArn = 'arn:aws:sqs:us-east-1:000000000000:dead';
    asyncInvocations.setDeadLetters(FunctionName, deadLettersOf(queueArn, services));
    await invoke(failing);
    await until('it is sent', () => sent.length > 0);
    expect(sent[0]).toMatchObject({
      QueueUrl: 'http://queues/000000000000/dead',
      MessageBody: '{"throws":true}',
      MessageAttributes: { ErrorMessage: { StringValue: 'no good' }, ErrorCode: { StringValue: '200' } },
    });
    expect(lambda.notes).toEqual([]);
  });

  it('is not retried after the run ends', async () => {
    const pauses: number[] = [];
    const sleep = async (ms: number) => {
      pauses.push(ms);
      return false;
    };
    const { invoke, target, notes } = startLambda({ ...fakeRetryClock(), sleep });
    await invoke(failing);
    await until('the run has ended', () => pauses.length === 1);
    expect([target.events.length, notes]).toEqual([1, []]);
  });
});
