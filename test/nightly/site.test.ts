import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimate, eventsOf } from '../../tools/cost/estimate.ts';
import { serveSite, siteFolder } from '../../tools/site/serve-site.ts';
import { chromiumPath } from '../../tools/support/chromium-path.ts';

const root = resolve(import.meta.dirname, '../..');

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: Browser;
let page: Page;
const problems: string[] = [];
beforeAll(async () => {
  execFileSync('npm', ['run', '--silent', 'site'], { cwd: root, stdio: 'inherit' });
  server = await serveSite();
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--disable-dev-shm-usage'] });
  page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const open = (path: string) => page.goto(new URL(path, server.resolvedUrls?.local[0]).href);

describe('the site', () => {
  const idsOf = new Map<string, ReadonlySet<string>>();
  const idsIn = (file: string) => {
    const html = readFileSync(file, 'utf8');
    const ids = idsOf.get(file) ?? new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
    idsOf.set(file, ids);
    return ids;
  };

  function isDead(from: string, link: string): boolean {
    const [path = '', anchor = ''] = decodeURI(link.replaceAll('&amp;', '&')).split('#');
    const folder = path.startsWith('/') ? siteFolder : dirname(from);
    const target = path === '' ? from : join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const file = [target, `${target}.html`].find((each) => existsSync(each) && statSync(each).isFile());
    if (file === undefined) return true;
    return anchor !== '' && file.endsWith('.html') && !idsIn(file).has(anchor);
  }

  it('has no dead link, and no dead anchor', () => {
    const files = globSync('**/*.html', { cwd: siteFolder }).filter((path) => path !== '404.html');
    expect(files.length).toBeGreaterThan(100);
    const dead = files.flatMap((path) => {
      const file = join(siteFolder, path);
      const links = [...readFileSync(file, 'utf8').matchAll(/ (?:href|src)="([^"]+)"/g)];
      return links.flatMap(([, link = '']) =>
        /^(\w+:|\/\/)/.test(link) || !isDead(file, link) ? [] : [`${path}: ${link}`],
      );
    });
    expect(dead).toEqual([]);
  });

  it('has llms.txt and llms-full.txt, whose links lead to pages as they are written', () => {
    for (const name of ['llms.txt', 'llms-full.txt']) {
      const text = readFileSync(join(siteFolder, name), 'utf8');
      const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(50);
      expect(links.filter((link) => !existsSync(join(siteFolder, link)))).toEqual([]);
    }
  });

  it('draws the diagrams', async () => {
    await open('/docs/contributing/map.html');
    await page.waitForSelector('.diagram svg[id^="mermaid-"]');
  });

  it('finds a page by its words', async () => {
    await open('/');
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('searchbox').fill('quarantine');
    await page.waitForSelector('.result');
  });
});

describe('the page "What would it cost you?"', () => {
  const total = async () => Number.parseFloat((await page.locator('[data-total]').textContent()) ?? '');
  const near = (value: number) => Number(value.toFixed(2));

  it('shows what the model computes from the inputs, which have labels', async () => {
    await open('/estimate.html');
    expect(await total()).toBe(near(estimate({ events: eventsOf(1e6), inSends: 1 }).dollars));
    await page.getByLabel('Amount a month').fill('5000000');
    await page.getByLabel('The amount is in').selectOption('events');
    await page.getByLabel('Percentage in large sends').fill('40');
    await page.getByLabel('Days for which messages are kept').fill('90');
    await page.getByLabel('Insights').selectOption('off');
    const settings = { retentionDays: 90, insights: 'off' } as const;
    const { dollars, lines } = estimate({ events: 5e6, inSends: 0.4 }, settings);
    await expect.poll(total).toBe(near(dollars));
    const rows = await page.locator('.vp-doc table').first().locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t').map((cell) => cell.trim()))).toEqual(
      lines.map((line) => [line.service, line.use, line.dollars.toFixed(2)]),
    );
  });

  it('says what is wrong with an input', async () => {
    await page.getByLabel('Days for which messages are kept').fill('0');
    await page.getByText('retentionDays: found "0", expected a whole number from 1 to 3650.').waitFor();
    await page.getByLabel('Days for which messages are kept').fill('90');
    await page.getByLabel('Amount a month').fill('');
    await page.getByText('Enter the events of a month as a number.').waitFor();
  });

  it('is reached and filled in by the keyboard alone', async () => {
    await open('/estimate.html');
    const focused = () => page.evaluate('document.activeElement?.name');
    for (let presses = 0; presses < 100 && (await focused()) !== 'amount'; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('2000000');
    await expect.poll(total).toBe(near(estimate({ events: eventsOf(2e6), inSends: 1 }).dollars));
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('unit');
    await page.keyboard.press('ArrowDown');
    await expect.poll(total).toBe(near(estimate({ events: 2e6, inSends: 1 }).dollars));
  });

  it('has nothing that axe finds wrong', async () => {
    await page.evaluate(axe.source);
    const violations = await page.evaluate(
      `axe.run('.vp-doc').then(({ violations }) => violations.map(({ id }) => id))`,
    );
    expect(violations).toEqual([]);
  });

  it('and the other pages raise no error in the browser', () => {
    expect(problems).toEqual([]);
  });
});
