import { text } from 'node:stream/consumers';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, it } from 'vitest';
import { createCaptureSwitch } from '../../../../../cli/target/stack/capture-switch.ts';
import { inMemoryClient } from '../../../../support/in-memory-http.ts';

const until = '2026-01-15T13:00:00.000Z';

/** The switch of a function whose configuration is read as these in turn, the last one again, and that is changed with this outcome. */
function switchOf(reads: readonly object[], refusal?: string) {
  const changes: unknown[] = [];
  let asked = 0;
  const client = new LambdaClient(
    inMemoryClient(async (request, response) => {
      const isRead = request.method === 'GET';
      if (!isRead) changes.push(JSON.parse(await text(request)));
      const body = isRead ? reads[Math.min(asked++, reads.length - 1)] : {};
      const isRefused = !isRead && refusal !== undefined;
      response.writeHead(isRefused ? 409 : 200, isRefused ? { 'x-amzn-errortype': refusal } : {});
      response.end(JSON.stringify(body));
    }),
  );
  return { changes, capture: createCaptureSwitch(client, 'ingest') };
}

const found = (value: string) => ({
  RevisionId: '7',
  Environment: { Variables: { WEBHOOK_URL: 'https://api.example.test', CAPTURE_UNTIL: value } },
});

it('the capture switch changes one variable, of the revision that it has read', async () => {
  const { capture, changes } = switchOf([found('')]);
  await capture.set(until);
  expect(changes).toEqual([found(until)]);
});

it('the capture switch changes nothing that is as wanted: each change replaces all instances', async () => {
  const { capture, changes } = switchOf([found('')]);
  await capture.set(undefined);
  expect(changes).toEqual([]);
});

it('the capture switch writes no environment that it cannot read', async () => {
  const { capture, changes } = switchOf([
    { RevisionId: '7', Environment: { Error: { ErrorCode: 'AccessDenied' } } },
  ]);
  await expect(capture.set(until)).rejects.toThrow('cannot be read');
  await expect(capture.until()).rejects.toThrow('cannot be read');
  expect(changes).toEqual([]);
});

it.each(['PreconditionFailedException', 'ResourceConflictException'])(
  'the capture switch names what to do about %s, unless it is its own change',
  async (type) => {
    const { capture } = switchOf([found('')], type);
    await expect(capture.set(until)).rejects.toThrow('Run the command again in a minute');
    await expect(switchOf([found(''), found(until)], type).capture.set(until)).resolves.toBeUndefined();
  },
);
