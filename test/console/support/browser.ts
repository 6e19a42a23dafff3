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
  /** Gives the browser its session, before the first page. */
  readonly signIn?: (context: BrowserContext) => Promise<unknown>;
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

  return async (path: string, { signIn, ...options }: PageOptions): Promise<Opened> => {
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
    await signIn?.(context);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      // The browser reports answers that are no success in its own words; the page shows them to the viewer.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(options.baseURL)) problems.push(`request to ${request.url()}`);
    });
    await page.goto(path);
    return { page, context };
  };
}

export interface OpenOptions extends BrowserContextOptions {
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
    open(path: string, { role = 'support', ...options }: OpenOptions = {}): Promise<Opened> {
      const { url } = server;
      const signIn = async (context: BrowserContext) =>
        role === null ? undefined : context.addCookies([{ name: 'role', value: role, url }]);
      return openPage(path, { baseURL: url, signIn, ...options });
    },
  };
}
