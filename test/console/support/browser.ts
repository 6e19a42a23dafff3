import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { Role } from '../../../console/api/console-types.ts';
import { type ConsoleServer, startConsoleServer } from './console-server.ts';

export interface OpenOptions extends BrowserContextOptions {
  /** Null for a browser without a session. The role is `support` without it. */
  readonly role?: Role | null;
}

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
}

/**
 * Gives the tests of a file a server with fixtures, and a browser. Every page fails its test if the browser reports an error, a breach of the
 * Content Security Policy, or a request to another origin.
 */
export function consoleInBrowser() {
  let browser: Browser;
  let server: ConsoleServer;
  const problems: string[] = [];
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsoleServer(), chromium.connect(inject('browser'))]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    server.reset();
    expect(problems.splice(0)).toEqual([]);
  });

  return {
    server: () => server,
    async open(path: string, { role = 'support', ...options }: OpenOptions = {}): Promise<Opened> {
      const context = await browser.newContext({
        baseURL: server.url,
        locale: 'en-US',
        timezoneId: 'America/Sao_Paulo',
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      });
      contexts.push(context);
      // It ends what hangs, and judges no speed.
      context.setDefaultTimeout(60_000);
      if (role !== null) await context.addCookies([{ name: 'role', value: role, url: server.url }]);
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        // The browser reports answers that are no success in its own words; the page shows them to the viewer.
        const isAnswer = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isAnswer) problems.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url)) problems.push(`request to ${request.url()}`);
      });
      await page.goto(path);
      return { page, context };
    },
  };
}
