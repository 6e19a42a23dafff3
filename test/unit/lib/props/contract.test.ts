import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import shipped from '../../../../contract.json' with { type: 'json' };
import { Contract } from '../../../../lib/props/contract.ts';
import { Preset } from '../../../../lib/props/preset.ts';
import { SignaturePreset } from '../../../../lib/props/signature-preset.ts';
import { readContract } from '../../../../local/run/contract-file.ts';
import { readPresets } from '../../../../tools/generate/preset-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'sms-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, json: unknown): string {
  writeFileSync(join(folder, name), JSON.stringify(json));
  return join(folder, name);
}

file('own.json', { extends: 'twilio', service: shipped.service });
/** What the presets' own text says to add: a header, and for a scheme alone the events. */
const signedOtherwise = {
  'standard-webhooks': {
    events: { ...shipped.events, id: { from: 'signed-id' } },
    statuses: shipped.statuses,
    webhook: {
      signature: {
        header: 'svix-signature',
        id: { header: 'svix-id' },
        timestamp: { header: 'svix-timestamp' },
      },
    },
  },
  'static-token': {
    events: { ...shipped.events, id: { from: 'content' } },
    statuses: shipped.statuses,
    webhook: { signature: { header: 'x-our-token' } },
  },
  'aws-end-user-messaging-eventbridge': { webhook: { signature: { header: 'x-our-key' } } },
  zenvia: { webhook: { signature: { header: 'x-our-token' } } },
};
for (const [name, own] of Object.entries(signedOtherwise))
  file(`other-${name}.json`, { extends: name, service: shipped.service, ...own });
file('other-words.json', { extends: 'zenvia', service: shipped.service, statuses: { SENT: 'queued' } });
writeFileSync(join(folder, 'cut.json'), '{');
file('unknown.json', { extends: 'twilo', service: shipped.service });

describe.each([
  [
    'synthesis',
    (name: string) => Contract._fromFile(join(folder, name), 'the setting sms:contractFile')._document,
  ],
  ['the pipeline on this machine', (name: string) => readContract(folder, name)],
])('the contract file, read for %s', (_, read) => {
  it('may extend a preset', () => {
    expect(read('own.json')).toMatchObject({
      service: { baseUrl: shipped.service.baseUrl },
      webhook: { signature: { header: 'x-twilio-signature' }, bodyFormat: 'form' },
    });
  });

  it.each(Object.entries(signedOtherwise))('may give %s another header', (name, { webhook }) => {
    const contract = read(`other-${name}.json`);
    expect(contract.webhook.signature).toMatchObject(webhook.signature);
    expect(contract.samples.filter(({ request }) => request !== undefined)).toEqual([]);
  });

  it('is refused with a word on where samples are from that do not hold', () => {
    expect(() => read('other-words.json')).toThrow(
      /samples\.0 \(a delivery report\): event 1: expected status "sent".*\n {2}samples: these are inherited from zenvia and.*samples of your own/,
    );
  });

  it('is refused by name where there is no such preset', () => {
    expect(() => read('unknown.json')).toThrow(
      /unknown\.json: The contract is not valid:\n {2}extends: no preset is called "twilo"; did you mean "twilio"\?/,
    );
  });

  it('is refused by name where it is not there, or is not JSON', () => {
    expect(() => read('none.json')).toThrow(/none\.json.*(?:read|ENOENT)/);
    expect(() => read('cut.json')).toThrow(/cut\.json: not JSON: ./);
  });
});

it('Preset has the names of services, and SignaturePreset those of signatures alone', () => {
  const names = (ofServices: boolean) =>
    readPresets().flatMap(({ name, isWhole }) => (isWhole === ofServices ? [name] : []));
  expect(Object.values(Preset).sort()).toEqual(names(true));
  expect(Object.values(SignaturePreset).sort()).toEqual(names(false));
});
