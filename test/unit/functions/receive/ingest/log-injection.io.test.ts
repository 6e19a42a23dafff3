import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ingest, signed } from './ingest-under-test.ts';

const write = `
const { createLog } = await import('./functions/base/handler-settings.ts');
const { logCatalogue } = await import('./functions/base/log-catalogue.ts');
createLog(logCatalogue)('QUEUE_UNAVAILABLE', JSON.parse(process.argv[1]));
`;

it('a logged value creates no line, field or colour, for any content', () => {
  const error = 'a\r\n{"level":"INFO","code":"FORGED"}\u2028\u001b[31m","code":"FORGED","x":"\0';
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', write, JSON.stringify({ error })],
    { encoding: 'utf8', cwd: fileURLToPath(new URL('../../../../../', import.meta.url)) },
  );
  const [line = '', ...more] = (stdout + stderr).split('\n');
  expect(more).toEqual(['']);
  expect(line).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(line)).toMatchObject({ level: 'ERROR', code: 'INGEST-02', error });
});

it('a logged id or name shows no number', () => {
  const number = /202\D{0,3}555\D?0143/;
  const fields = {
    sendId: '2026011512025550143',
    error: 'No route to (202) 555-0143',
    user: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
    requestId: '12345678-1234-1234-1234-123456789012',
    since: '2026-01-15T11:00:00.000Z',
    count: 12025550143,
  };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', write, JSON.stringify(fields)],
    { encoding: 'utf8', cwd: fileURLToPath(new URL('../../../../../', import.meta.url)) },
  );
  const { sendId, error, ...others } = JSON.parse(stdout + stderr);
  expect(`${sendId} ${error}`).not.toMatch(number);
  const { user, requestId, since, count } = fields;
  expect(others).toMatchObject({ user, requestId, since, count });
});

it('no log line contains data of a request', async () => {
  const hostile = 'X\r\n{"level":"ERROR"}';
  const { post, lines } = ingest();
  const request = signed(hostile, 'whsec_b3RoZXI=');
  await post({
    ...request,
    rawQueryString: hostile,
    headers: { ...request.headers, 'webhook-id': hostile, 'user-agent': hostile, [hostile]: hostile },
  });
  await post({ ...request, headers: { 'webhook-timestamp': hostile, 'webhook-signature': hostile } });
  await post({ method: hostile });
  expect(lines).toEqual([
    { name: 'REQUEST_REJECTED', fields: { reason: 'signature-mismatch' } },
    { name: 'REQUEST_REJECTED', fields: { reason: 'timestamp-invalid' } },
  ]);
});
