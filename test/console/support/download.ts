import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';

/** Presses a button that downloads a file. The browser may be another process's, so the file is streamed. */
export async function download(
  page: Page,
  button: string,
): Promise<{ readonly name: string; readonly content: Buffer; readonly lines: readonly string[] }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  const content = await buffer(await file.createReadStream());
  return { name: file.suggestedFilename(), content, lines: content.toString().split('\r\n') };
}
