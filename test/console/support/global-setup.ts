import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from '../../../tools/support/chromium-path.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket address of the browser that all files share. */
    browser: string;
  }
}

const root = join(import.meta.dirname, '../../..');

/** Builds the page as it is shipped, and starts a browser, once for all tests. A missing browser is reported before the build. */
export default async function prepare({ provide }: TestProject): Promise<() => Promise<void>> {
  const executablePath = chromiumPath();
  await buildPage();
  const browser = await chromium.launchServer({ executablePath, args: ['--disable-dev-shm-usage'] });
  provide('browser', browser.wsEndpoint());
  return () => browser.close();
}

async function buildPage(): Promise<void> {
  const args = ['node_modules/vite/bin/vite.js', 'build', 'console', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
