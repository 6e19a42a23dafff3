import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { expect, it } from 'vitest';
import { startServer } from '../../support/server.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';
import { people, sampleFetch } from './sample-pipeline.ts';

const script = resolve(import.meta.dirname, '../../../../../bin/sms.ts');
const write = temporaryFiles();

it('sms mcp writes the protocol alone to its output, signs its queries, and ends with its input', async () => {
  const answers = new Map<string, string>();
  for (const path of ['/v1/messages/m-2', '/v1/messages/m-9'])
    answers.set(path, await (await sampleFetch()(`https://api.example${path}`)).text());
  const signatures: unknown[] = [];
  const { url } = await startServer(({ path = '', headers }) => {
    signatures.push(headers.authorization?.slice(0, 16));
    return {
      status: path === '/v1/messages/m-2' ? 200 : 404,
      ...(path !== '/v1/messages/m-2' && { type: 'application/problem+json' }),
      body: answers.get(path) ?? '',
    };
  });
  const outputs = {
    SmsPipeline: { HistoryTableName: 'history', WebhookUrl: `${url}/webhooks/sms`, QueryUrl: `${url}/v1` },
  };
  const file = write('outputs.json', outputs);
  const child = spawn(process.execPath, [script, 'mcp', '--dir', resolve(file, '..')]);
  const [written, log] = [text(child.stdout), text(child.stderr)];

  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  // It reads and writes lines of the protocol, on any streams.
  await client.connect(new StdioServerTransport(child.stdout, child.stdin));
  const found = await client.callTool({ name: 'find_message', arguments: { messageId: 'm-2' } });
  const missing = await client.callTool({ name: 'find_message', arguments: { messageId: 'm-9' } });
  const health = await client.callTool({ name: 'get_health', arguments: {} });
  child.stdin.end();
  const [code] = await once(child, 'exit');

  expect(found.structuredContent).toMatchObject({
    messageId: 'm-2',
    phone: '•••0144',
    status: 'undelivered',
  });
  expect([missing.isError, JSON.stringify(missing.content)]).toEqual([
    true,
    expect.stringContaining('No such message'),
  ]);
  // The file of outputs names no setup function and no queues.
  expect(health.structuredContent).toMatchObject({ healthy: false });
  expect(signatures).toEqual(Array.from({ length: 2 }, () => 'AWS4-HMAC-SHA256'));
  expect(code).toBe(0);
  const lines = (await written).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(lines.map(() => '2.0'));
  expect(await log).toMatch(/^sms mcp: answers from local:.+; numbers are masked\n$/);
  expect(lines.join('') + (await log)).not.toContain(people.bob.slice(2));
});
