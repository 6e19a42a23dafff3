import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { providerPage, readPresets } from '../../../tools/generate/preset-lists.ts';
import { docExamples } from '../../support/doc-examples.ts';

const folder = new URL('../../../docs/providers/', import.meta.url);
const textOf = (page: string) => readFileSync(new URL(page, folder), 'utf8');
const pages = readdirSync(folder).filter((page) => !['index.md', 'without-a-preset.md'].includes(page));
const presets = readPresets().filter(({ isWhole }) => isWhole);

it('every preset of a service has a page', () => {
  expect(presets.map(({ name }) => name).filter((name) => providerPage(name) === undefined)).toEqual([]);
});

it.each(presets)('the page of $name names the preset, and says what was not tried', ({ name }) => {
  const text = textOf(providerPage(name) ?? '');
  expect(text).toContain(`\`${name}\``);
  expect(text).toContain('**Not tried');
});

it('the page that is written out has the commands that all services need', () => {
  expect(textOf('index.md')).toContain('(twilio.md#steps)');
  const commands = docExamples()
    .filter(({ path }) => path.endsWith('providers/twilio.md'))
    .map(({ line }) => line);
  expect(commands).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^sms contract test/),
      'sms webhook store-secret --secret-file secret.txt',
      expect.stringMatching(/^sms doctor/),
    ]),
  );
});

it.each(pages)(
  '%s is the page of a preset, and says where to enter the address, which secret it has, and what is signed',
  (page) => {
    const text = textOf(page);
    expect(presets.map(({ name }) => providerPage(name))).toContain(page);
    for (const row of ['where', 'secret', 'signs'])
      expect(text).toMatch(
        new RegExp(`^ *(?:\\| ${row} \\| |(?:- )?\\*\\*${row}:\\*\\* |\\|.* ${row} \\|$)`, 'im'),
      );
  },
);

it.each(pages)('%s says where its retries are, and they are there', (page) => {
  expect(textOf(page)).toContain('](../operate/outage.md#how-long-each-service-retries)');
  expect(textOf('../operate/outage.md')).toMatch(
    new RegExp(`^\\| \\[[^\\]]+\\]\\(\\.\\./providers/${page}`, 'm'),
  );
});

it('the page about moving names the presets whose signature covers the address, so that a fan-out cannot pass them on', () => {
  const text = readFileSync(
    new URL('../../../docs/guides/moving-from-another-system.md', import.meta.url),
    'utf8',
  );
  const [, listed = ''] = /covers the address with the presets (.+)\.$/m.exec(text) ?? [];
  const covering = readPresets().filter(({ signature }) =>
    /\{(?:url|host|path)\b|"urlHash":\{/.test(JSON.stringify(signature)),
  );
  expect(listed.match(/(?<=`)[\w-]+(?=`)/g)).toEqual(covering.map(({ name }) => name));
});
