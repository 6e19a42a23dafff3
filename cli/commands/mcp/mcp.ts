import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createClient, type QueryClient } from '../../../client/index.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { createHealthReader } from '../../../functions/query/index.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addPipelineOptions,
  addRevealOption,
  type RevealOptions,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { readTime } from '../../input/time-argument.ts';
import type { Context } from '../../target/context.ts';
import { describeTarget } from '../../target/default-target.ts';
import { sanitize } from '../../text/sanitize.ts';
import { commandLineHealth } from '../console/command-line-health.ts';
import { explain } from '../doctor/finding.ts';
import type { McpServerOptions } from './mcp-server.ts';
import { notChecked } from './tools.ts';

interface McpOptions extends TargetOptions, RevealOptions {}

const texts: CommandTexts = {
  examples: ['mcp', 'mcp --local', 'mcp --profile prod --region eu-west-1 --reveal'],
  notes:
    'A client of the Model Context Protocol starts this command; docs/guides/ask-with-an-agent.md shows how. Numbers are masked without --reveal.',
  details:
    'The tools ask the query API with your AWS credentials, and change nothing. Whatever a tool answers goes to the language model of the client. Standard output has the protocol alone; the start and unexpected failures are reported on standard error, without numbers.',
};

/** Adds `mcp`, which answers the questions of a language model. */
export function addMcp(program: Command, context: Context): void {
  const command = program
    .command('mcp')
    .summary('answer the questions of a language model (MCP)')
    .description(
      'Serves read-only tools over the Model Context Protocol on standard input and output, until the client ends.',
    );
  addPipelineOptions(addRevealOption(command))
    .explain(texts)
    .action((options: McpOptions) => serveMcp(options, context, process));
}

/**
 * Serves the tools until the input ends.
 *
 * @param streams that carry the protocol
 */
export async function serveMcp(
  options: McpOptions,
  context: Pick<Context, 'terminal' | 'clock' | 'newId' | 'connect'>,
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
): Promise<void> {
  // Loaded late, because other commands do not need them.
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServer } = await import('./mcp-server.ts');
  const { terminal, clock, newId, connect } = context;
  const { reveal = false } = options;
  const target = targetOf(options);
  const connection = connect(target);
  const log = (line: string) => terminal.err(`sms mcp: ${sanitize(line)}\n`);
  let known: QueryClient | undefined;
  const mcpOptions = {
    client: async () => {
      if (known === undefined) {
        const { url, ...signer } = await connection.queryApi();
        known = createClient({ baseUrl: url, ...signer });
      }
      return known;
    },
    health: createHealthReader({
      ...commandLineHealth({
        connection,
        connectSource: (source) => connect({ ...target, source }),
        target,
        clock,
      }),
      // Only counted: a received message would be hidden from a redrive for a moment.
      deadLetters: async () =>
        Promise.all(
          (await connection.deadLetterQueues()).map(async ({ name, source, queue }) => ({
            name,
            source: source?.name ?? null,
            oldestSeenAt: null,
            ...(await queue.count()),
          })),
        ),
      // A person may ask the query API and not look into queues. That does not make the pipeline unhealthy.
      explain(error) {
        const { found, hint } = explain(error);
        const prefix = found.startsWith(notChecked) ? '' : `${notChecked}: `;
        return { state: 'skipped', found: prefix + found, ...omitUndefined({ hint }) };
      },
    }),
    async readRange({ since, until }) {
      const reading = { now: clock(), zone: terminal.zone };
      return omitUndefined({
        since: since === undefined ? undefined : await readTime(since, { ...reading, option: 'since' }),
        until: until === undefined ? undefined : await readTime(until, { ...reading, option: 'until' }),
      });
    },
    clock,
    newId,
    reveal,
    log,
    zone: terminal.zone,
  } satisfies McpServerOptions;
  log(`answers from ${describeTarget(target)}; numbers are ${reveal ? 'shown in full' : 'masked'}`);
  const served = serveStdio(() => createMcpServer(mcpOptions), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: ({ name }) => log(`the protocol failed: ${name}`),
  });
  await finished(stdin, { writable: false }).catch(() => undefined);
  await served.close();
}
