import { expect, test } from 'vitest';
import { createIdMask, idMaskKeyBytes } from '../../functions/query/api/masked-ids.ts';
import { consoleInBrowser } from './support/browser.ts';

// What a viewer sees in place of an id that shows a number.

const browser = consoleInBrowser();
const { mask } = createIdMask(Buffer.alloc(idMaskKeyBytes, 1));
const maskedId = mask('order-12025550102');
const maskedSend = mask('reminder-12025550102');

function maskOne(): void {
  const { fixtures } = browser.server();
  fixtures.messages = fixtures.messages.map((one) =>
    one.messageId === 'msg-f0003' ? { ...one, messageId: maskedId, sendId: maskedSend } : one,
  );
}

test('masked ids of a list can be distinguished, and lead to their pages', async () => {
  maskOne();
  const { page } = await browser.open('/messages?state=failed', { role: 'viewer' });
  const link = page.getByRole('link', { name: `•••${maskedId.slice(-6)}` });
  await link.click();
  await page.waitForURL(`**/messages/${maskedId}`);
  await page.getByText('the SMS service does not know it').waitFor();
  expect(await page.title()).toBe(`Message •••${maskedId.slice(-6)} · SMS console`);
  await page.getByRole('button', { name: 'Copy Message id' }).waitFor();
  await page.locator('code', { hasText: maskedId }).first().waitFor();
  await page.getByRole('link', { name: `•••${maskedSend.slice(-6)}` }).waitFor();
});

test('a viewer who may see the id of a masked address sees it in the heading', async () => {
  const { fixtures } = browser.server();
  const [message] = fixtures.messages;
  if (message === undefined) throw new Error('The fixtures have no message.');
  const { page } = await browser.open(`/messages/${maskedId}`, {
    role: 'operator',
    prepare: (context) => context.route('**/v1/messages/*', (route) => route.fulfill({ json: message })),
  });
  await page.locator('.subject', { hasText: message.messageId }).waitFor();
  expect(await page.getByText('This id is masked').count()).toBe(0);
});

test.each(['•••0102', maskedId.slice(0, 20)])(
  'a search for %s, which is masked, says what to do instead',
  async (text) => {
    const { page } = await browser.open('/', { role: 'viewer' });
    await page.getByLabel('Search for a number').fill(text);
    await page.keyboard.press('Enter');
    await page.getByText('A part of what is masked finds nothing.').waitFor();
    expect(await page.getByText('Search by the beginning').count()).toBe(0);
  },
);

test.each([390, 320])('on a phone of %i pixels a long id hides no number and no status', async (width) => {
  const { fixtures } = browser.server();
  const long = '0f8fad5b-d9cb-469f-a165-70867728950e';
  fixtures.messages = fixtures.messages.map((one) =>
    one.messageId === 'msg-f0003' ? { ...one, messageId: long } : one,
  );
  const { page } = await browser.open('/messages?state=failed', {
    role: 'operator',
    viewport: { width, height: 800 },
  });
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: long }) });
  for (const part of ['.cell-number', '.cell-status']) {
    const box = await row.locator(part).boundingBox();
    expect(box?.width, part).toBeGreaterThan(100);
  }
});
