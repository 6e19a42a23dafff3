import { expect, test } from 'vitest';
import { settle } from './accessibility.ts';
import type { consoleInBrowser, OpenOptions } from './browser.ts';
import { Reader } from './reader.ts';

interface Task extends OpenOptions {
  /** How many interactions it may take. */
  readonly atMost: number;
}

/** Returns a function that makes a test of a task: from the first page to the answer. */
export function walkIn(browser: Pick<ReturnType<typeof consoleInBrowser>, 'open'>) {
  return (task: string, { atMost, ...options }: Task, steps: (reader: Reader) => Promise<void>): void =>
    void test(`${task}, with ${atMost} interactions at most`, async () => {
      const { page } = await browser.open('/', options);
      await settle(page);
      const reader = new Reader(page);
      await steps(reader);
      expect(reader.interactions).toBeLessThanOrEqual(atMost);
    });
}
