import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from '../../../tools/support/chromium-path.ts';
import { offerPipeline } from './pipeline-offer.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket address of the browser that all files share. */
    browser: string;
    /** The address of the `PipelineOffer` that files share. */
    pipeline: string;
  }
}

const root = join(import.meta.dirname, '../../..');

/** Builds the page as it is shipped, starts a browser, and offers a pipeline, once for all tests. A missing browser is reported before the build. */
export default async function prepare({ provide }: TestProject): Promise<() => Promise<void>> {
  const executablePath = chromiumPath();
  const [browser, pipeline] = await Promise.all([
    chromium.launchServer({ executablePath, args: ['--disable-dev-shm-usage'] }),
    offerPipeline(),
    buildPage(),
  ]);
  provide('browser', browser.wsEndpoint());
  provide('pipeline', pipeline.url);
  return async () => {
    await Promise.all([browser.close(), pipeline.close()]);
  };
}

async function buildPage(): Promise<void> {
  const args = ['node_modules/vite/bin/vite.js', 'build', 'console', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
