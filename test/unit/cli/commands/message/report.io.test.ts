import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contractHash } from '../../../../../contract/events/body.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { commandLine, historyOf, message } from '../../support/harness.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const hostile = message('msg-1', [
  { status: 'sent', second: 0, sendId: 'send-1' },
  {
    status: 'undelivered',
    second: 2,
    word: 'UNDELIV',
    errorCode: '30410',
    errorText: `<script>alert(1)</script> "of" +1 202 555 0143 & more\u202E`,
  },
  { status: 'delivered', second: 7, word: 'DELIVRD' },
]);

const sms = (hash: string, ...options: readonly string[]) =>
  commandLine({ connection: { ...historyOf([hostile]), contractHash: async () => hash } }).sms(
    'message',
    'get',
    'msg-1',
    ...options,
  );

const readable = (html: string) => html.replace(/<style>[\s\S]*<\/style>|<[^>]*>/g, ' ').replace(/\s+/g, ' ');

it('--report writes a page with each report, which of them decides, the contract, and what it does not prove', async () => {
  const path = join(temporaryDirectory(), 'proof.html');
  const { err, code } = await sms(contractHash(shippedContract), '--report', path);
  expect([code, err]).toEqual([0, `Wrote the proof of msg-1 to ${path}.\n`]);
  const html = readFileSync(path, 'utf8');
  const text = readable(html);
  expect(text).toContain('Number •••0143 Masked');
  expect(text).toContain('Send send-1');
  expect(text).toContain(`Contract ${contractHash(shippedContract)} The hash of the contract`);
  expect(text).toMatch(
    /3\. Delivered Decides the status Happened, by the service 2026-01-15 09:00:07 -03:00 2026-01-15 12:00:07 UTC Received by the pipeline 2026-01-15 .* UTC; /,
  );
  expect(text).toContain('The report “Delivered” of 2026-01-15 09:00:07 -03:00 decides the status.');
  expect(text).toContain('“Delivered” is more final than “Undelivered”.');
  expect(text).toContain('The contract reads “delivered” of the service as “Delivered”.');
  expect(text).toContain('does not say who confirms a delivery');
  expect(text).toContain('the pipeline does not store the texts that are sent');
  // Nothing of the service becomes markup, and no number is in it.
  expect(html).not.toMatch(/<script|\u202E|0143 &amp;|202 555/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;of&quot;');
  expect(html.match(/(?:src|href)=/)).toBeNull();
});

it('--report has the whole number with --reveal, and says if the contract is not at hand', async () => {
  const path = join(temporaryDirectory(), 'proof.html');
  await sms('othercontract', '--report', path, '--reveal');
  const text = readable(readFileSync(path, 'utf8'));
  expect(text).toContain('Number +12025550143 Sender');
  expect(text).toContain('Contract othercontract');
  expect(text).toContain('The contract could not be read here');
});

it('--report shows no number in an id either, without --reveal', async () => {
  const path = join(temporaryDirectory(), 'proof.html');
  const ofNumber = message('1000001/12025550143', [{ status: 'delivered', second: 7 }]);
  const connection = { ...historyOf([ofNumber]), contractHash: async () => 'othercontract' };
  await commandLine({ connection }).sms('message', 'get', '1000001/12025550143', '--report', path);
  const html = readFileSync(path, 'utf8');
  expect(html).not.toContain('12025550143');
  expect(readable(html)).toContain('1000001/•••');
});

it('--report overwrites nothing', async () => {
  const path = join(temporaryDirectory(), 'proof.html');
  writeFileSync(path, 'mine');
  const { err, code } = await sms('', '--report', path);
  expect([code, err]).toEqual([
    1,
    `error: ${path} exists, and --report overwrites nothing: remove it, or name another file.\n`,
  ]);
  expect(readFileSync(path, 'utf8')).toBe('mine');
});
