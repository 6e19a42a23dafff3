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

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
}

export interface PageOptions extends BrowserContextOptions {
  readonly baseURL: string;
  /** Other origins that the page may ask. */
  readonly origins?: readonly string[];
  /** Prepares the browser before the first page: its session, or its routes. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
  /** Whether the test advances the page's clock. It flows by itself too. Playwright may wait a minute for it in a page that is loading. */
  readonly hasClock?: boolean;
}

/**
 * Gives the tests of a file pages in the shared browser. Every page fails its test if the browser reports an error, a breach of the
 * Content Security Policy, or a request to another origin.
 *
 * @param afterPages runs after each test, once its pages are closed
 */
export function pagesInBrowser(afterPages = () => {}) {
  let browser: Browser;
  const problems: string[] = [];
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'));
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    afterPages();
    expect(problems.splice(0)).toEqual([]);
  });

  return async (
    path: string,
    { prepare, hasClock = false, origins = [], ...options }: PageOptions,
  ): Promise<Opened> => {
    const context = await browser.newContext({
      locale: 'en-US',
      timezoneId: 'America/Sao_Paulo',
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.push(context);
    // It ends what hangs, and judges no speed.
    context.setDefaultTimeout(60_000);
    await prepare?.(context);
    const page = await context.newPage();
    if (hasClock) await page.clock.install();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      // The browser reports answers that are no success in its own words; the page shows them to the viewer.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (![options.baseURL, ...origins].some((origin) => request.url().startsWith(origin)))
        problems.push(`request to ${request.url()}`);
    });
    // A page without a session leaves for the sign-in before it has loaded, which would interrupt a wait for that.
    await page.goto(path, { waitUntil: 'commit' });
    return { page, context };
  };
}

export interface OpenOptions extends Omit<PageOptions, 'baseURL'> {
  /** Null for a browser without a session. The role is `support` without it. */
  readonly role?: Role | null;
}

/** Gives the tests of a file a server with fixtures, and pages of it. */
export function consoleInBrowser() {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsoleServer();
  });
  afterAll(() => server.close());
  const openPage = pagesInBrowser(() => server.reset());

  return {
    server: () => server,
    open(path: string, { role = 'support', prepare, ...options }: OpenOptions = {}): Promise<Opened> {
      const { url } = server;
      const withSession = async (context: BrowserContext) => {
        if (role !== null) await context.addCookies([{ name: 'role', value: role, url }]);
        await prepare?.(context);
      };
      return openPage(path, { baseURL: url, prepare: withSession, ...options });
    },
  };
}
