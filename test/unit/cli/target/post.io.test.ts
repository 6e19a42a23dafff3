import { expect, it } from 'vitest';
import { createPost } from '../../../../cli/target/context.ts';
import { type Received, startServer } from '../support/server.ts';

it('posts the bytes and the headers as they are, and follows no redirect', async () => {
  const received: Received[] = [];
  const { url } = await startServer((request) => {
    received.push(request);
    return { status: 307, headers: { location: '/elsewhere' }, body: 'moved' };
  });
  const body = Buffer.from('{"text": "Olá"}');
  const answer = await createPost(fetch)({
    url: `${url}/webhooks/sms`,
    headers: { 'webhook-id': 'e' },
    body,
  });
  expect(answer).toEqual({ status: 307, body: 'moved' });
  expect(received).toMatchObject([
    { method: 'POST', path: '/webhooks/sms', headers: { 'webhook-id': 'e' }, body: '{"text": "Olá"}' },
  ]);
});
