import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import shipped from '../../../contract.json' with { type: 'json' };
import { until } from '../../../tools/support/until.ts';
import { deliverSigned } from '../../local/pipeline/post-signed.ts';
import { settle } from '../support/accessibility.ts';
import { pagesInBrowser } from '../support/browser.ts';
import { type LocalConsole, startLocalConsole } from '../support/local-console.ts';
import { type SharedPipeline, sharedPipeline } from '../support/shared-pipeline.ts';

// The page with all that is behind it: `sms console`, the query API, the functions and DynamoDB Local.

let pipeline: SharedPipeline;
let starting: Promise<LocalConsole> | undefined;
let local: LocalConsole;
const openPage = pagesInBrowser();

beforeAll(async () => {
  pipeline = await sharedPipeline();
  starting = startLocalConsole(pipeline.directory, pipeline.contractFile);
  await Promise.all([
    starting,
    report('msg-1', '+12025550143', 'accepted', { agoMs: 60_000 }),
    report('msg-1', '+12025550143', 'delivered', { agoMs: 55_000 }),
    report('msg-2', '+12025550117', 'undelivered', { error_code: '30003' }),
    report('msg-3', '+12025550102', 'accepted'),
    reply('rep-1', { from: '+12025550143', text: 'Yes, thank you.' }),
    reply('rep-2', { from: '+12025550165', text: 'STOP' }),
    // The contract does not know this name of the field.
    reply('rep-3', { sender: '+12025550199', text: 'Sent by a new version' }),
  ]);
  local = await starting;
  await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl);
});

afterAll(async () => (await starting)?.stop());

const secondsAgo = (agoMs: number) => new Date(Date.now() - agoMs).toISOString();

async function report(
  id: string,
  to: string,
  status: string,
  { agoMs = 0, ...rest }: { readonly agoMs?: number; readonly error_code?: string } = {},
): Promise<void> {
  const data = { id, send_id: 'send-1', to, status, occurred_at: secondsAgo(agoMs), ...rest };
  await deliverSigned(pipeline, { type: 'sms.status', data });
}

async function reply(id: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const data = { id, to: '+12025550100', occurred_at: secondsAgo(0), ...fields };
  await deliverSigned(pipeline, { type: 'sms.reply', data });
}

const open = (path: string) =>
  openPage(path, {
    baseURL: local.origin,
    prepare: ({ request }) => request.get(local.address, { maxRedirects: 0 }),
  });

test('a support question is answered in two interactions: a number typed, and Enter', async () => {
  const { page, context } = await open('/');
  await page.getByRole('searchbox').fill('+1 202 555 0143');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  const sent = page.getByRole('article', { name: 'Message to the number' });
  expect(await sent.textContent()).toContain('Delivered');
  expect(await page.getByRole('article', { name: 'Reply' }).textContent()).toContain('Yes, thank you.');
  expect(page.url()).not.toContain('555');
  // No code of the page can read the session.
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
});

test('every page shows what the pipeline has', async () => {
  const { page } = await open('/');
  const pages = {
    '/messages?state=failed': 'msg-2',
    '/messages?state=pending': 'msg-3',
    '/messages/msg-2': '30003',
    '/conversations/r~rep-2': 'STOP',
    '/replies': 'Yes, thank you.',
    '/opt-outs': '+1 202 555 0165',
    '/quarantine': 'A required field is missing',
    '/sends': 'send-1',
    '/sends/send-1': 'msg-2',
    '/health': 'Signing secret',
    '/': 'United States',
  };
  for (const [path, text] of Object.entries(pages)) {
    await page.goto(path);
    await page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor();
  }
});

test.each(['odd %41 id', 'a?b=c', 'plain/id#c'])(
  'a message with the id %s is found and opens',
  async (id) => {
    await report(id, '+12025550143', 'delivered');
    await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl);
    const { page } = await open('/');
    await settle(page);
    await page.getByRole('searchbox').fill(id);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/messages/**');
    await page.locator('code', { hasText: id }).first().waitFor();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
  },
);

test('a link without a session leads to its page once the printed address is opened, and a wrong address is explained', async () => {
  const { page } = await openPage('/messages/msg-2', { baseURL: local.origin });
  await page.getByText('Your session has ended').waitFor();
  await page.goto('/?token=wrong');
  await page.getByRole('heading', { name: 'This address was opened already' }).waitFor();
  expect(page.url()).not.toContain('wrong');
  await page.goto('/messages/msg-2');
  await page.goto(local.address);
  await page.waitForURL('**/messages/msg-2');
  await page.getByText('30003').first().waitFor();
});

test('an open message and an open list follow the events that arrive', async () => {
  const { page } = await open('/messages/msg-3');
  const { page: replies } = await open('/replies');
  await page.getByText('Not final').waitFor();
  await replies.getByText('Yes, thank you.').waitFor();
  await report('msg-3', '+12025550102', 'delivered');
  await reply('rep-4', { from: '+12025550102', text: 'It arrived just now.' });
  await page.getByText('Final: no further report is expected.').waitFor();
  await replies.getByText('It arrived just now.').waitFor();
});

test('an entry of the quarantine is in the conversation after the contract is fixed and the entry replayed', async () => {
  const { page } = await open('/quarantine');
  const entry = page.getByRole('main').getByRole('link', { name: 'A required field is missing' });
  await entry.click();
  await replayIn(page);
  await page.getByText('The entry stays in the quarantine').waitFor();

  const { events } = shipped;
  const fixed = { ...events, reply: { ...events.reply, from: 'data.from || data.sender' } };
  writeFileSync(pipeline.contractFile, JSON.stringify({ ...shipped, events: fixed }));
  await until('the functions have the contract', async () =>
    (await pipeline.printed()).includes('the functions run with the changed'),
  );
  await page.reload();
  await replayIn(page);
  await page.getByText('The entry was handed to the pipeline again.').waitFor();
  await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl);
  await page.goto('/conversations/r~rep-3');
  await page.getByText('Sent by a new version').waitFor();
  await page.goto('/quarantine');
  await settle(page);
  expect(await entry.count()).toBe(0);
});

async function replayIn(page: Awaited<ReturnType<typeof open>>['page']): Promise<void> {
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).click();
}
