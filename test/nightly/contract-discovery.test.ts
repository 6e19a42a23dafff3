import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formContractJson, shippedContractJson } from '../../tools/support/contracts.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { smsCommand } from '../../tools/support/sms-command.ts';
import { until } from '../../tools/support/until.ts';

/** A service that the pipeline has not met: its scheme, the shape of its bodies and its words are nowhere in the shipped contract. */
const unseen = { ...formContractJson, service: Object(shippedContractJson).service };

const words = ['delivered', 'undelivered', 'sent'] as const;
const sentAt = '2026-01-15T12:00:05.000Z';
const reports = Array.from({ length: 50 }, (_, index) => ({
  kind: 'sms.status',
  fields: {
    messageId: `7f0000${String(index).padStart(2, '0')}`,
    recipient: `120255501${String(index % 100).padStart(2, '0')}`,
    status: words[index % words.length] ?? 'sent',
    occurredAt: sentAt,
  },
}));
const replies = ['Yes', 'No, thank you'].map((text, index) => ({
  kind: 'sms.reply',
  fields: { replyId: `mo-${index}`, from: '12025550143', to: '12025550100', text, occurredAt: sentAt },
}));

let folder: string;
let contractFile: string;
let pipeline: LocalPipeline;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'discovery-'));
  contractFile = join(folder, 'contract.json');
  const serviceFile = join(folder, 'service.json');
  writeFileSync(contractFile, JSON.stringify(shippedContractJson));
  writeFileSync(serviceFile, JSON.stringify(unseen));
  pipeline = await startLocalPipeline({
    'sms:contractFile': contractFile,
    'local:serviceContract': serviceFile,
  });
});

afterAll(async () => {
  expect(await pipeline.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const sms = async (...args: string[]) => {
  const { code, out, err } = await smsCommand(pipeline.directory, args);
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  return out;
};
const quarantined = async (): Promise<number> =>
  JSON.parse(await sms('quarantine', 'list', '--limit', '1000', '--json')).entries.length;
const history = async (messageId: string): Promise<unknown> => {
  const { code, out } = await smsCommand(pipeline.directory, ['message', 'get', messageId, '--json']);
  return code === 0 ? JSON.parse(out) : undefined;
};

it('contract discover writes a contract that reads all captured requests', async () => {
  await sms('contract', 'capture', 'on', '--for', '2h');
  const answer = await fetch(`http://127.0.0.1:${pipeline.port + 1}/sandbox/events`, {
    method: 'POST',
    body: JSON.stringify([...reports, ...replies]),
  });
  expect(await answer.json()).toMatchObject({ sent: 52, accepted: 52 });
  await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl);
  // A request that was answered too late was sent again.
  expect(await quarantined()).toBeGreaterThanOrEqual(52);
  expect(await history('7f000000')).toBeUndefined();

  const before = JSON.parse(readFileSync(contractFile, 'utf8'));
  await sms(
    ...['contract', 'discover', '--from-quarantine', '--secret-from-service'],
    ...['--contract', contractFile, '--write', '--accept-guesses'],
  );
  const found = JSON.parse(readFileSync(contractFile, 'utf8'));
  expect(found.service).toEqual(before.service);
  expect(found.webhook.signature).toMatchObject({ algorithm: 'sha256', header: 'x-hub-signature-256' });
  // Committed with the contract: nothing that anybody wrote, and no number but those kept for fiction.
  expect(JSON.stringify(found)).not.toMatch(/1202555010[1-9]|1202555011|No, thank you/);
  await until(
    'the functions have the contract',
    async () => pipeline.printed().includes('the functions run with the changed') || undefined,
  );

  await sms('contract', 'capture', 'off');
  await sms('quarantine', 'replay', '--contract', contractFile);
  await until('quarantine is empty', async () => (await quarantined()) === 0 || undefined);
  for (const { fields } of reports)
    expect(await until(`${fields.messageId} is in history`, () => history(fields.messageId))).toMatchObject({
      phone: `+${fields.recipient}`,
      status: fields.status,
      events: [{ occurredAt: sentAt }],
    });
  const answered = JSON.parse(
    await sms('reply', 'list', '--since', '2026-01-15', '--until', '2026-01-16', '--json'),
  );
  expect(answered.entries.map(({ text }: { text: string }) => text).sort()).toEqual(['No, thank you', 'Yes']);
});
