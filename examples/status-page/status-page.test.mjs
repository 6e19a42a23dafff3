import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { history } from './history.mjs';
import { createStatusPage } from './status-page.mjs';

const { SANDBOX_URL } = process.env;

/** Your app's own database: which messages it sent for which user. */
const sent = new Map([
  ['ann', []],
  ['ben', []],
]);

/** Sends a message by the sandbox, in place of your provider. @param outcome such as { status: 'undelivered' } */
async function send(user, to, outcome) {
  const body = JSON.stringify({ to, ...outcome });
  const response = await fetch(`${SANDBOX_URL}/sandbox/messages`, { method: 'POST', body });
  assert.equal(response.status, 200, await response.clone().text());
  const { messageId } = await response.json();
  sent.get(user).push(messageId);
  return messageId;
}

const server = createStatusPage({
  history,
  userOf: ({ headers }) => (sent.has(headers.authorization) ? headers.authorization : undefined),
  messagesOf: (user) => sent.get(user),
});
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

async function get(user, path) {
  const headers = user === undefined ? {} : { authorization: user };
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers });
  return [response.status, await response.json()];
}

/** Asks until the status is final, as a page does. The pipeline needs a second or two. */
async function finalStatus(user, messageId) {
  for (let attempt = 0; attempt < 240; attempt++) {
    const [, message] = await get(user, `/messages/${messageId}`);
    if (message.final) return message.status;
    await pause(500);
  }
  throw new Error(`${messageId} has no final status after two minutes`);
}

test('a user sees what became of her messages', async () => {
  const arrived = await send('ann', '+12025550143', { status: 'delivered' });
  const failed = await send('ann', '+12025550144', { status: 'undelivered', errorCode: '30003' });
  assert.equal(await finalStatus('ann', arrived), 'delivered');
  assert.equal(await finalStatus('ann', failed), 'not delivered');
  const [, list] = await get('ann', '/messages');
  assert.deepEqual(
    list.map(({ messageId }) => messageId),
    [arrived, failed],
  );
  assert.doesNotMatch(JSON.stringify(list), /202555/);
});

test('a user does not see the messages of another user', async () => {
  const messageId = await send('ben', '+12025550145', { status: 'delivered' });
  await finalStatus('ben', messageId);
  assert.equal((await get('ann', `/messages/${messageId}`))[0], 404);
  assert.doesNotMatch(JSON.stringify(await get('ann', '/messages')), new RegExp(messageId));
  assert.equal((await get(undefined, `/messages/${messageId}`))[0], 401);
});

test('a message without a report is on its way', async () => {
  sent.get('ben').push('not-reported-yet');
  const [, message] = await get('ben', '/messages/not-reported-yet');
  assert.deepEqual(message, { messageId: 'not-reported-yet', status: 'on its way', final: false });
});
