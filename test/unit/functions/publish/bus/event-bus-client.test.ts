import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  createEventBus,
  createPublishFailures,
} from '../../../../../functions/publish/bus/event-bus-client.ts';
import { assertProperty } from '../../../../support/property.ts';
import { answers, fails, type Step, scriptedAws } from '../../../../support/scripted-aws.ts';
import { eventBusSuite, optOutEvent } from '../../../../support/suites/event-bus.ts';
import { createEventBridge } from '../../../local/services/event-bridge/event-bridge-under-test.ts';

eventBusSuite('on EventBridge', async () => {
  const { client, control } = await createEventBridge();
  return {
    ...createEventBus(client, { busName: 'sms', pipeline: 'Sms' }),
    details: async () => {
      const events = z.array(z.object({ detail: z.unknown() })).parse((await control('GET', 'events')).json);
      return events.map(({ detail }) => detail);
    },
    throttle: () => control('PUT', 'faults', { throttle: true }),
  };
});

const requestSchema = z.object({
  Entries: z.array(
    z.strictObject({
      EventBusName: z.string(),
      Source: z.string(),
      DetailType: z.string(),
      Detail: z.string(),
    }),
  ),
});
const sizeOf = ({ Source, DetailType, Detail }: { Source: string; DetailType: string; Detail: string }) =>
  Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

const acceptAll: Step = (input, call) =>
  answers({ Entries: requestSchema.parse(input).Entries.map(() => ({ EventId: '1' })) })(input, call);
/** EventBridge answers a call with one entry that it does not accept with one error for all of it. */
const rejectBad: Step = (input, call) =>
  (JSON.stringify(input).includes('bad') ? fails('ValidationException') : acceptAll)(input, call);

function scriptedBus(...steps: readonly Step[]) {
  const { settings, inputs } = scriptedAws(...steps);
  const calls = () => inputs().map((input) => requestSchema.parse(input).Entries);
  return {
    bus: createEventBus(new EventBridgeClient(settings), { busName: 'the-bus', pipeline: 'Sms' }),
    calls,
  };
}

const published = { kind: 'published' };
const failed = (error: string) => ({ kind: 'failed', error });

describe('the event bus client', () => {
  it('keeps each call within ten events and the size limit, and refuses only an event that exceeds it alone', async () => {
    const { bus, calls } = scriptedBus(acceptAll);
    await assertProperty(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 140_000 }), { maxLength: 15 }), async (lengths) => {
        const already = calls().length;
        // Two bytes a character: what counts is bytes.
        const events = lengths.map((length) => optOutEvent('é'.repeat(length)));
        const outcomes = await bus.publish(events);
        const made = calls().slice(already);
        for (const entries of made) {
          expect(entries.length).toBeLessThanOrEqual(10);
          expect(entries.reduce((sum, entry) => sum + sizeOf(entry), 0)).toBeLessThanOrEqual(262_144);
        }
        const fits = events.map(
          ({ detailType: DetailType, detail }) =>
            sizeOf({ Source: 'sms.pipeline', DetailType, Detail: JSON.stringify(detail) }) <= 262_144,
        );
        expect(outcomes).toEqual(
          fits.map((fit) => (fit ? published : { kind: 'refused', error: 'TooLarge' })),
        );
        expect(made.flat()).toHaveLength(fits.filter((fit) => fit).length);
      }),
      { numRuns: 30 },
    );
  });

  it('reports a failed event alone, and one without an answer', async () => {
    const { bus } = scriptedBus(
      answers({ Entries: [{ EventId: '1' }, { ErrorCode: 'ThrottlingException' }] }),
    );
    expect(await bus.publish(['a', 'b', 'c'].map(optOutEvent))).toEqual([
      published,
      failed('ThrottlingException'),
      failed('NoAnswer'),
    ]);
  });

  it.each([
    ['MalformedDetail', 'refused'],
    ['InvalidArgument', 'refused'],
    ['RedactionFailure', 'refused'],
    ['NotAuthorizedForSourceException', 'failed'],
    ['InternalFailure', 'failed'],
    ['SomethingNew', 'failed'],
  ])('reports an event with %s as %s', async (code, kind) => {
    const { bus, calls } = scriptedBus(answers({ Entries: [{ ErrorCode: code }, { EventId: '1' }] }));
    expect(await bus.publish(['a', 'b'].map(optOutEvent))).toEqual([{ kind, error: code }, published]);
    expect(calls()).toHaveLength(1);
  });

  it('splits a rejected call so that each valid event is put on the bus once', async () => {
    const { bus, calls } = scriptedBus(rejectBad);
    await assertProperty(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 25 }), async (isBad) => {
        const already = calls().length;
        const outcomes = await bus.publish(
          isBad.map((bad, index) => optOutEvent(`${bad ? 'bad' : 'good'}${index}`)),
        );
        expect(outcomes).toEqual(
          isBad.map((bad) => (bad ? { kind: 'refused', error: 'ValidationException' } : published)),
        );
        const accepted = calls()
          .slice(already)
          .filter((entries) => !JSON.stringify(entries).includes('bad'));
        expect(accepted.flat()).toHaveLength(isBad.filter((bad) => !bad).length);
      }),
      { numRuns: 30 },
    );
  });

  it('splits a rejected call only until the deadline: unsent events may be retried', async () => {
    const { bus, calls } = scriptedBus(rejectBad);
    const events = ['a', 'b', 'c', 'bad'].map(optOutEvent);
    const outcomes = await bus.publish(events, { isOver: () => calls().length >= 3 });
    expect(outcomes).toEqual([published, published, failed('OutOfTime'), failed('OutOfTime')]);
    expect(calls().map(({ length }) => length)).toEqual([4, 2, 2]);
  });

  it.each(['AccessDeniedException', 'ResourceNotFoundException', 'InternalException'])(
    'does not split a call that fails with %s',
    async (name) => {
      const { bus, calls } = scriptedBus(fails(name));
      expect(await bus.publish(['a', 'b'].map(optOutEvent))).toEqual([failed(name), failed(name)]);
      expect(calls()).toHaveLength(1);
    },
  );
});

it('events and failures have no character that SQS refuses, also if a reply has one', async () => {
  const { bus, calls } = scriptedBus(acceptAll);
  await bus.publish([optOutEvent('stop \ufffe\uffff 👍 \ud83d')]);
  const [detail = ''] = calls().flatMap((entries) => entries.map(({ Detail }) => Detail));
  expect(detail).toContain('stop \ufffd\ufffd 👍 \\ud83d');
});

describe('the publish failure queue', () => {
  const failure = { kind: 'record-unreadable', recordId: '1', itemKey: undefined, error: 'x' } as const;
  const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/queue';
  const keepWith = (step: Step) => {
    const { settings, inputs } = scriptedAws(step);
    const queue = createPublishFailures(new SQSClient({ ...settings, md5: false }), queueUrl);
    return { kept: queue.keep(failure), inputs };
  };

  it('receives the ids, and the sender resolves once SQS has confirmed them', async () => {
    const { kept, inputs } = keepWith(answers({ MessageId: '1' }));
    await kept;
    expect(inputs()).toMatchObject([{ QueueUrl: queueUrl }]);
    expect(JSON.parse(String(inputs()[0]?.MessageBody))).toEqual({
      kind: 'record-unreadable',
      recordId: '1',
      error: 'x',
    });
  });

  it('makes the sender throw if SQS does not confirm', async () => {
    const { kept } = keepWith(fails('com.amazonaws.sqs#InvalidMessageContents'));
    await expect(kept).rejects.toMatchObject({ name: 'InvalidMessageContents' });
  });
});
