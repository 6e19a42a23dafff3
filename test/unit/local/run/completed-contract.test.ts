import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { completeContract, sampleErrors } from '../../../../local/run/completed-contract.ts';
import { readContract } from '../../../../local/run/contract-file.ts';
import { UserError } from '../../../../local/terminal/terminal.ts';
import { shippedContract, shippedContractJson } from '../../../../tools/support/contracts.ts';

const folderWith = (contract: unknown) => {
  const folder = mkdtempSync(join(tmpdir(), 'completed-'));
  writeFileSync(join(folder, 'cdk.json'), '{}');
  writeFileSync(join(folder, 'contract.json'), JSON.stringify(contract));
  return folder;
};

const complete = (folder: string, { sample = false } = {}) =>
  completeContract({ folder, directory: join(folder, '.local'), sample }, 'contract.json');

it("a contract of a service without an API gets the shipped contract's, so that the sandbox can run", () => {
  const folder = folderWith({ extends: 'twilio' });
  const completed = readContract(folder, complete(folder) ?? '');
  expect(completed.service).toEqual(shippedContract.service);
  expect(completed.webhook.signature).toMatchObject({ header: 'x-twilio-signature' });
});

it('a preset may be named instead of a file', () => {
  const folder = folderWith({});
  const completed = completeContract({ folder, directory: join(folder, '.local'), sample: false }, 'twilio');
  expect(readContract(folder, completed ?? '')).toMatchObject({
    service: shippedContract.service,
    webhook: { signature: { header: 'x-twilio-signature' } },
  });
  writeFileSync(join(folder, 'contract.json'), JSON.stringify(shippedContractJson));
  expect(readContract(folder, 'twilio').webhook.signature).toMatchObject({ header: 'x-twilio-signature' });
});

it('a contract with another registration registers at the sandbox', () => {
  const registration = { kind: 'twilio-messaging-service', id: 'MG00000000000000000000000000000001' };
  const folder = folderWith({ extends: 'twilio', registration });
  expect(readContract(folder, complete(folder) ?? '')).toMatchObject({
    registration: null,
    service: shippedContract.service,
  });
});

it('a contract with an API is used as it is, and gets error codes for the sample', () => {
  const folder = folderWith({ ...Object(shippedContractJson), errors: {} });
  expect(complete(folder)).toBeUndefined();
  expect(readContract(folder, complete(folder, { sample: true }) ?? '').errors).toEqual(sampleErrors);
});

it('samples of its own are not called inherited when they fail, and those of a preset are', () => {
  const { samples, ...contract } = Object(shippedContractJson);
  const folder = folderWith({ ...contract, samples, errors: {} });
  const file = complete(folder, { sample: true }) ?? '';
  const change = (changed: object) => writeFileSync(join(folder, 'contract.json'), JSON.stringify(changed));
  const [first, ...others] = samples;
  const failing = { ...first, becomes: [{ ...first.becomes[0], status: 'read' }] };
  change({ ...contract, samples: [failing, ...others], errors: {} });
  expect(() => readContract(folder, file)).toThrow(/expected status "read"/);
  expect(() => readContract(folder, file)).not.toThrow(/inherited/);
  change({ extends: 'zenvia', service: shippedContract.service, statuses: { SENT: 'queued' } });
  expect(() => readContract(folder, file)).toThrow(/inherited from zenvia/);
});

it('a contract that cannot be used is named', () => {
  expect(() => complete(folderWith({ extends: 'no-such-preset' }))).toThrow(UserError);
  expect(() => complete(folderWith({ extends: 'no-such-preset' }))).toThrow(/^contract\.json: /);
  const parts = { folder: folderWith({}), directory: '', sample: false };
  expect(() => completeContract(parts, 'nosuch.json', 'sms:sources.backup.contractFile')).toThrow(
    /nosuch\.json.*sms:sources\.backup\.contractFile/s,
  );
});
