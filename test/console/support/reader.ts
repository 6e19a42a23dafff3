import type { Locator, Page } from 'playwright-core';
import { download } from './download.ts';

/** Someone who uses a page. What they do is counted: each click, each field that is filled, each choice and each key. */
export class Reader {
  readonly page: Page;
  interactions = 0;

  constructor(page: Page) {
    this.page = page;
  }

  click(target: Locator): Promise<void> {
    this.interactions += 1;
    return target.click();
  }

  /** Types a number or an id into the search, and presses Enter. */
  async search(text: string): Promise<void> {
    this.interactions += 2;
    await this.page.getByRole('searchbox').fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Types into a field of a list, and presses Enter. */
  async type(field: string, text: string): Promise<void> {
    this.interactions += 2;
    await this.page.getByLabel(field, { exact: true }).fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses a day in a calendar. @param day yyyy-mm-dd */
  async pickDay(field: string, day: string): Promise<void> {
    this.interactions += 1;
    await this.page.getByLabel(field, { exact: true }).fill(day);
  }

  async choose(filter: string, option: string): Promise<void> {
    this.interactions += 1;
    await this.page.getByLabel(filter, { exact: true }).selectOption(option);
  }

  /** Opens a page of the navigation. */
  goTo(name: string): Promise<void> {
    return this.click(this.page.getByRole('navigation').getByRole('link', { name, exact: true }));
  }

  press(button: string): Promise<void> {
    return this.click(this.page.getByRole('button', { name: button, exact: true }));
  }

  download(button: string): ReturnType<typeof download> {
    this.interactions += 1;
    return download(this.page, button);
  }
}
