import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { supportPhone } from '../../local/sample/tables.ts';
import { chromiumPath } from '../support/chromium-path.ts';

interface Picture {
  readonly name: string;
  /** Pixels. */
  readonly height: number;
  /** Opens what the picture shows, as a viewer would. */
  readonly open: (page: Page) => Promise<void>;
  /** The parts that are shown last. */
  readonly parts: readonly string[];
}

export interface Taken {
  readonly file: string;
  readonly bytes: number;
  readonly maxBytes: number;
}

const width = 1280;
const maxBytes = 150_000;

/** A send of the sample that an incident hit. */
const sendWithFailures = /^click-and-collect-paris-/;

/** A send of the sample: one message of it is reported as failed, and then as delivered. */
const contradictedSend = /sale-\d/;

const pictures: readonly Picture[] = [
  {
    name: 'console-overview',
    height: 930,
    open: async (page) => {
      await page.goto('/?range=30d');
    },
    parts: ['main svg[role=img] rect', '.changes li'],
  },
  {
    name: 'console-send',
    height: 900,
    open: async (page) => {
      await page.goto('/sends');
      await page.getByRole('link', { name: sendWithFailures }).first().click();
    },
    parts: ['main svg[role=img] rect', 'main [role=row] a'],
  },
  {
    name: 'console-conversation',
    height: 760,
    open: openConversation,
    parts: ['article.bubble'],
  },
  {
    name: 'console-message',
    height: 760,
    open: async (page) => {
      await openConversation(page);
      const message = page.getByRole('article').filter({ hasText: contradictedSend });
      await message.getByRole('link', { name: /^msg_/ }).click();
    },
    parts: ['.conflict', '.timeline li'],
  },
];

async function openConversation(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('searchbox').fill(supportPhone);
  await page.keyboard.press('Enter');
  await page.locator('article.bubble').first().waitFor();
}

/**
 * Takes all pictures, each in a window of its own.
 *
 * @param address opens the console
 * @returns what was written
 */
export async function takePictures(address: string, folder: string): Promise<Taken[]> {
  const browser = await chromium.launch({ executablePath: chromiumPath() });
  try {
    const context = await browser.newContext({
      baseURL: new URL(address).origin,
      locale: 'en-US',
      timezoneId: 'UTC',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await context.request.get(address, { maxRedirects: 0 });
    const taken: Taken[] = [];
    for (const { name, height, open, parts } of pictures) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      await open(page);
      for (const part of parts) await page.locator(part).first().waitFor();
      await page.locator('body:not(:has(.loading))').waitFor();
      // Where the last click was, a chart would show the figures of a column.
      await page.mouse.move(0, 0);
      const file = join(folder, `${name}.png`);
      const bytes = await page.screenshot({ animations: 'disabled' });
      writeFileSync(file, bytes);
      taken.push({ file, bytes: bytes.length, maxBytes });
      await page.close();
    }
    return taken;
  } finally {
    await browser.close();
  }
}
