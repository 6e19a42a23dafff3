import { expect, it } from 'vitest';
import { encodeEnvelope } from '../../../../functions/webhook/envelope.ts';
import { createRecordVerified } from '../../../../functions/worker/admit.ts';
import { recorder } from '../../../../tools/support/recorder.ts';
import { queueMessage, read } from './queue-messages.ts';

const at = (second: number) => `2026-01-15T12:00:0${second}.000Z`;
const received = (...seconds: number[]) =>
  seconds.map((second) =>
    read(
      queueMessage(
        String(second),
        encodeEnvelope({ requestId: 'r', receivedAt: at(second), body: Buffer.from('') }),
      ),
    ),
  );

function instance(recordVerified: (at: string) => Promise<void>) {
  const time = { now: 0 };
  const { log, lines } = recorder();
  return { time, lines, record: createRecordVerified({ recordVerified }, () => time.now, log) };
}

it('the worker records the newest verified request of a batch, at most once a minute', async () => {
  const written: string[] = [];
  const { time, record } = instance(async (newest) => void written.push(newest));
  await record(received(2, 4, 3));
  time.now = 59_999;
  await record(received(5));
  expect(written).toEqual([at(4)]);
  time.now = 60_000;
  await record(received(6));
  expect(written).toEqual([at(4), at(6)]);
});

it('the worker records nothing if the batch has no verified request, and may still record one within the minute', async () => {
  const written: string[] = [];
  const { record } = instance(async (newest) => void written.push(newest));
  await record([]);
  await record([read(queueMessage('q', 'no envelope'))]);
  expect(written).toEqual([]);
  await record(received(1));
  expect(written).toEqual([at(1)]);
});

it('a failed record of the last verified request does not fail the batch, and is not retried at once', async () => {
  let tries = 0;
  const { record, lines } = instance(async () => {
    tries += 1;
    throw Object.assign(new Error('detail'), { name: 'TimeoutError' });
  });
  await record(received(1));
  await record(received(2));
  expect(tries).toBe(1);
  expect(lines).toEqual([{ name: 'VERIFIED_NOT_RECORDED', fields: { error: 'TimeoutError' } }]);
});
