/**
 * `npm run bench:console [-- --runs N]`: how long the console needs from an input to the next paint with 100,000 rows in a list, in Chromium.
 * It exits with 1 if the 95th percentile of an interaction is above its target.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { type ConsoleServer, startConsoleServer } from '../console/console-server.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { runScript, wholeNumber } from '../support/run-script.ts';
import { percentile } from '../support/statistics.ts';
import { renderTable } from '../support/table.ts';
import { until } from '../support/until.ts';
import { isReached, renderTargets } from './targets.ts';

const root = resolve(import.meta.dirname, '../..');
const rowCount = 100_000;
/** Rows of a page of the list: more than the query API gives, so that the list is loaded sooner. */
const pageSize = 1000;
const maxMs = 100;

/**
 * Measures inputs in the page: from the time of the event to the task after the next frame, which has its paint. `window.paints` has the
 * milliseconds of each, by the type of event.
 */
const observer = `
  window.paints = [];
  for (const type of ['wheel', 'keydown', 'click', 'change', 'popstate'])
    window.addEventListener(type, ({ timeStamp }) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.paints.push({ type, ms: performance.now() - timeStamp });
      port2.postMessage(undefined);
    }), { capture: true, passive: true });
`;

interface Interaction {
  readonly name: string;
  /** The event that is measured. */
  readonly type: string;
  run(page: Page): Promise<unknown>;
}

const list = '[role=table]';
const status = (page: Page, value: string) => page.getByLabel('Status', { exact: true }).selectOption(value);
const shown = (page: Page, count: string) => page.getByText(`${count} entries`, { exact: true }).waitFor();

/** One after the other is one repetition; it ends where it began. */
const interactions: readonly Interaction[] = [
  { name: 'scroll by half a screen', type: 'wheel', run: (page) => page.mouse.wheel(0, 400) },
  {
    name: 'move to the next row',
    type: 'keydown',
    async run(page) {
      await page.locator(`${list} .row a:visible`).nth(3).focus();
      await page.keyboard.press('ArrowDown');
    },
  },
  { name: 'jump to the last row', type: 'keydown', run: (page) => page.keyboard.press('End') },
  {
    name: 'open a row',
    type: 'click',
    async run(page) {
      await page.locator('[data-index="99999"] a').first().click();
      await page.getByRole('heading', { name: 'Message', exact: true, level: 1 }).waitFor();
    },
  },
  {
    name: 'go back to the list',
    type: 'popstate',
    async run(page) {
      await page.goBack();
      await shown(page, rowCount.toLocaleString('en'));
    },
  },
  {
    name: 'filter by status',
    type: 'change',
    async run(page) {
      await status(page, 'rejected');
      await page.waitForURL('**status=rejected**');
      await page.locator('body:not(:has(.loading))').waitFor();
    },
  },
  {
    name: 'remove the filter',
    type: 'change',
    async run(page) {
      await page.getByLabel('Status', { exact: true }).selectOption({ index: 0 });
      await shown(page, rowCount.toLocaleString('en'));
    },
  },
  { name: 'jump to the first row', type: 'keydown', run: (page) => toTop(page) },
];

async function toTop(page: Page): Promise<void> {
  await page.locator(`${list} .row a:visible`).nth(3).focus();
  await page.keyboard.press('Home');
  await page.locator('[data-index="0"] a:focus').first().waitFor();
}

function fill({ fixtures }: ConsoleServer): void {
  const failed = fixtures.messages.filter(({ final, status: own }) => final && own !== 'delivered');
  fixtures.messages = Array.from({ length: rowCount }, (_, index) => {
    const message = failed[index % failed.length];
    if (message === undefined) throw new Error('The fixtures have no failed message.');
    return { ...message, messageId: `msg-${String(index).padStart(6, '0')}` };
  });
  fixtures.pageSize = pageSize;
}

/** Loads all pages of the list, by its keyboard. */
async function loadAll(page: Page): Promise<void> {
  await page.locator('[data-index="0"] a').first().focus();
  for (let count = pageSize; count < rowCount; count += pageSize) {
    await page.keyboard.press('End');
    await page.getByText(new RegExp(`^${(count + pageSize).toLocaleString('en')}\\+? entries`)).waitFor();
  }
}

/** Runs an interaction, and waits for its paint. @returns milliseconds */
async function measure(page: Page, { name, type, run }: Interaction): Promise<number> {
  await page.evaluate('window.paints = []');
  await run(page);
  const find = `window.paints.find(({ type }) => type === '${type}')?.ms`;
  return until(`a paint after: ${name}`, () => page.evaluate<number | undefined>(find));
}

await runScript(async () => {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' } } });
  const runs = wholeNumber('runs', values.runs);
  const executablePath = chromiumPath();
  execFileSync('npm', ['run', '--silent', 'build:console'], { cwd: root, stdio: 'inherit' });
  const server = await startConsoleServer();
  const browser = await chromium.launch({ executablePath, args: ['--disable-dev-shm-usage'] });
  try {
    fill(server);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    await context.addCookies([{ name: 'role', value: 'operator', url: server.url }]);
    await context.addInitScript(observer);
    const page = await context.newPage();
    await page.goto(`${server.url}/messages?state=failed&range=all`);
    await page.mouse.move(640, 500);
    await loadAll(page);
    await toTop(page);
    const took = new Map(interactions.map(({ name }) => [name, [] as number[]]));
    for (let run = 0; run < runs; run++)
      for (const interaction of interactions)
        took.get(interaction.name)?.push(await measure(page, interaction));
    const rows = [...took].map(([name, ms]) => {
      const sorted = ms.toSorted((a, b) => a - b);
      return { name, at: [50, 95, 100].map((percent) => percentile(sorted, percent)) };
    });
    const texts = rows.map(({ name, at }) => [name, ...at.map((ms) => ms.toFixed(0))]);
    console.info(renderTable([['from the input to the next paint, ms', 'p50', 'p95', 'max'], ...texts]));
    const targets = rows.map(({ name, at: [, p95 = Number.NaN] }) => ({
      ...{ name: `${name}, p95`, value: p95, most: maxMs, unit: 'ms' },
    }));
    console.info(renderTargets(targets));
    return targets.every(isReached) ? 0 : 1;
  } finally {
    await browser.close();
    await server.close();
  }
});
