import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, it } from 'vitest';
import { createCaptureSwitch } from '../../../../../cli/target/stack/capture-switch.ts';
import { inMemoryClient } from '../../../../support/in-memory-http.ts';

it.each(['PreconditionFailedException', 'ResourceConflictException'])(
  'the capture switch names what to do about %s: something else changes the function',
  async (type) => {
    const requests: string[] = [];
    const client = new LambdaClient(
      inMemoryClient(async (request, response) => {
        requests.push(String(request.method));
        const isRead = request.method === 'GET';
        response.writeHead(isRead ? 200 : 409, { 'x-amzn-errortype': type });
        response.end(JSON.stringify(isRead ? { RevisionId: '7', Environment: { Variables: {} } } : {}));
      }),
    );
    await expect(createCaptureSwitch(client, 'ingest').set(undefined)).rejects.toThrow(
      'Run the command again in a minute',
    );
    expect(requests[0]).toBe('GET');
  },
);
