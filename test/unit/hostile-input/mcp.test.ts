import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import fc from 'fast-check';
import { createMcpServer } from '../../../cli/commands/mcp/mcp-server.ts';
import { tools } from '../../../cli/commands/mcp/tools.ts';
import { readTime } from '../../../cli/input/time-argument.ts';
import { createClient } from '../../../client/index.ts';
import { now, people, sampleFetch } from '../cli/commands/mcp/sample-pipeline.ts';
import { attempts, fuzz } from './fuzz.ts';
import { mostly } from './hostile-requests.ts';
import { hostileJson, hostileTexts, magicNames, privateNumber } from './hostile-values.ts';
import { assertShowsNoInsides } from './watch.ts';

/** Lines that a client of the protocol writes after it has introduced itself. */
interface McpAttempt {
  readonly lines: readonly string[];
}

const texts = (...good: readonly string[]) => mostly(fc.constantFrom(...good), hostileTexts);

/** Good values of arguments, and now and then any. */
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  query: texts('m-1', privateNumber, 'spring', 'backup/b-1'),
  id: texts('m-1', 'r-1', 'backup/b-1'),
  messageId: texts('m-1', 'm-2'),
  replyId: texts('r-1', 'r-2'),
  sendId: texts('spring', 'other'),
  phone: texts(privateNumber, '(202) 555-0143'),
  number: texts(privateNumber, '12025550143'),
  state: texts('failed', 'pending', 'unknown'),
  since: texts('7d', 'yesterday', '2026-01-15T00:00:00Z', '2026-02-30', '99999999w'),
  until: texts('today', '2026-01-16', '1970-01-01'),
  status: fc.constantFrom(['failed'], ['sent', 'delivered'], [], 'failed', ['toString']),
  errorReason: texts('unreachable', 'spam'),
  source: texts('main', 'backup', 'other'),
  country: texts('US', 'us', 'ZZ'),
  by: fc.constantFrom(['country'], ['source', 'reason'], 'country', ['__proto__']),
  interval: texts('hour', 'day'),
  limit: fc.constantFrom(1, 20, 100, 0, 101, 1.5, -1, '1', null),
  cursor: texts('page-1', '1', 'next'),
};

const toolCalls = fc
  .constantFrom(...Object.entries(tools))
  .chain(([name, { input }]) =>
    fc.tuple(
      mostly(fc.constant(name), fc.oneof(hostileTexts, fc.constantFrom(...magicNames))),
      fc
        .subarray(Object.keys(input.shape))
        .chain((names) =>
          fc
            .tuple(...names.map((one) => mostly(values[one] ?? hostileTexts, hostileJson)))
            .map(
              (given): Record<string, unknown> =>
                Object.fromEntries(names.map((one, at) => [one, given[at]])),
            ),
        ),
      fc.option(fc.tuple(fc.constantFrom(...magicNames), hostileTexts), { freq: 6 }),
    ),
  )
  .map(([name, given, more]) => {
    const all = more === null ? given : Object.fromEntries([...Object.entries(given), more]);
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: all } });
  });

const member = (value: fc.Arbitrary<string>, ...good: readonly string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: value });

const messages = fc
  .tuple(
    member(hostileJson, '"2.0"'),
    member(hostileJson, '1', '"a"', 'null', '-1', '1.5', '"last"'),
    member(
      hostileTexts.map((text) => JSON.stringify(text)),
      '"tools/list"',
      '"tools/call"',
      '"initialize"',
      '"resources/list"',
      '"prompts/get"',
      '"logging/setLevel"',
      '"notifications/cancelled"',
      '"notifications/progress"',
      '"completion/complete"',
    ),
    member(hostileJson, '{}', '{"name":"get_health"}', '{"requestId":1}', '{"_meta":{"progressToken":{}}}'),
  )
  .map(([jsonrpc, id, method, params]) =>
    `{"jsonrpc":${jsonrpc},"id":${id},"method":${method},"params":${params}}`.replaceAll('\n', ' '),
  );

const numbers = Object.values(people).map((number) => number.slice(2));

const oneLine = (text: string) => text.replace(/[\r\n]/g, ' ');

const inputs: fc.Arbitrary<McpAttempt> = fc.record({
  lines: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: toolCalls },
      { weight: 3, arbitrary: messages },
      { weight: 1, arbitrary: hostileJson.map(oneLine) },
      { weight: 1, arbitrary: hostileTexts.map(oneLine) },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

const introduction = [
  {
    id: 'first',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
const farewell = JSON.stringify({ jsonrpc: '2.0', id: 'the-last-of-the-attack', method: 'ping' });

const health = {
  checkedAt: new Date(now).toISOString(),
  healthy: true,
  checks: [],
  webhook: null,
  alarms: [],
  contractDrift: null,
  queues: null,
  deadLetters: null,
};

/** Serves lines as `sms mcp` does. @returns what it wrote */
async function answersTo(lines: readonly string[], log: (line: string) => void): Promise<string[]> {
  const send = sampleFetch();
  const client = createClient({
    baseUrl: 'https://api.example/v1',
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    fetch: send,
  });
  let ids = 0;
  const options = {
    client: async () => client,
    health: async () => health,
    async readRange(times: object) {
      const read = Object.entries(times).map(async ([option, text]) => [
        option,
        await readTime(String(text), { option, now, zone: 'UTC' }),
      ]);
      return Object.fromEntries(await Promise.all(read));
    },
    clock: () => now,
    newId: () => `page-${++ids}`,
    reveal: false,
    zone: 'UTC',
    log,
  };
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveStdio(() => createMcpServer(options), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: ({ name }) => log(`the protocol failed: ${name}`),
  });
  const written: string[] = [];
  const deadline = AbortSignal.timeout(20_000);
  const answered = new Promise<void>((resolve, reject) => {
    createInterface({ input: stdout }).on('line', (line) => {
      written.push(line);
      if (line.includes('the-last-of-the-attack')) resolve();
    });
    deadline.addEventListener('abort', () =>
      reject(new Error(`no answer to the last of ${lines.length} lines`)),
    );
  });
  for (const line of [...introduction, ...lines, farewell]) stdin.write(`${line}\n`);
  await answered;
  // A ping overtakes the questions, which ask fakes and wait for nothing outside.
  for (let turns = 0; turns < 20; turns++) await turn();
  await served.close();
  return written;
}

fuzz<McpAttempt>(
  'mcp',
  {
    inputs,
    async attempt({ lines }) {
      const log: string[] = [];
      const written = await answersTo(lines, (line) => log.push(line));
      let [answered, refused] = [0, 0];
      for (const line of written) {
        assert(line.length < 200_000, `an answer of ${line.length} characters`);
        // Descriptions and refusals have a number as an example.
        const shown = line.replaceAll(`example ${privateNumber}`, '');
        const { result, error } = JSON.parse(line);
        if (result?.isError === true || error !== undefined) {
          refused += 1;
          // A schema says so of a missing argument.
          assertShowsNoInsides('the refusal', line.replaceAll('received undefined', ''));
          assert(!line.includes('This is a bug'), `it calls it a bug: ${line.slice(0, 400)}`);
        } else if (result?.content !== undefined) answered += 1;
        if (result?.tools === undefined)
          // The SDK names a tool that does not exist as the model named it.
          for (const number of numbers.filter((one) => !lines.some((asked) => asked.includes(one))))
            assert(!shown.includes(number), `a whole number: ${shown.slice(0, 400)}`);
      }
      assertShowsNoInsides('the log', log.join('\n').replace(/the protocol failed: \w+/g, ''));
      return answered > 0 ? 'answered' : refused > 0 ? 'refused' : 'ignored';
    },
  },
  ['answered', 'refused'],
  Math.ceil(attempts / 5),
);
