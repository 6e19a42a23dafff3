import { createSignedFetch } from '../../../client/signed-fetch.ts';
import { pageFolder } from '../../../contract/document/console-page-store.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import { createHealthReader } from '../../../functions/query/index.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { contractOf, deployedContract, readDeployedContract } from '../../input/contract-file.ts';
import {
  addContractOption,
  addPipelineOptions,
  type ContractOptions,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from '../../input/options.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { createAnswerConsole } from './answer-console.ts';
import { commandLineHealth } from './command-line-health.ts';
import { startConsoleServer } from './console-server.ts';
import { followSampleFill } from './sample-fill.ts';

interface ConsoleOptions extends TargetOptions, ContractOptions {
  readonly port?: number;
}

const texts: CommandTexts = {
  examples: ['console', 'console --local', 'console --port 8080'],
  notes: 'The address opens once, in one browser. On this machine (--local) it opens as often as you like.',
  details:
    'The server listens on 127.0.0.1 alone. It answers its own page only, signs its queries with your AWS credentials, and does what you may do: queries, the checks of sms doctor, and replays by the contract of --contract. Numbers are shown in full.',
};

/** Adds `console`, which serves the console's page for a pipeline on the loopback interface. */
export function addConsole(program: Command, context: Context): void {
  const command = program
    .command('console')
    .summary('open the pipeline in a browser')
    .description('Serves a page that shows conversations, sends, quarantine and health, until Ctrl-C.')
    .option('--port <n>', 'the port on 127.0.0.1 (default: a free one)', wholeNumber(1, 65_535));
  addPipelineOptions(addContractOption(command))
    .explain(texts)
    .action((options: ConsoleOptions) => serveConsole(options, context, pageFolder()));
}

/** The console looks for Ctrl-C this often, in milliseconds. */
const waitMs = 60_000;

/**
 * Serves the console until Ctrl-C.
 *
 * @param page the folder with the built page
 */
export async function serveConsole(
  options: ConsoleOptions,
  context: Context,
  page: string | undefined,
): Promise<void> {
  const { terminal, connect, clock } = context;
  const target = targetOf(options);
  if (page === undefined)
    throw new CommandFailure(
      'The page of the console is not built, or older than its sources. Build it with: npm run build:console',
    );
  const connection = connect(target);
  const { url, ...signer } = await connection.queryApi();
  const ownSource = target.source ?? mainSource;
  const readContract = () => readDeployedContract(options, connection, terminal);
  // It keeps this process as long as its parent lives, so it begins once the server runs.
  let sampleFill: ReturnType<typeof followSampleFill> | undefined;
  const server = await startConsoleServer({
    page,
    port: options.port ?? 0,
    isReusable: target.local,
    session: async () => ({
      pipeline: target.local ? 'local' : target.stack,
      sources: await connection.sources(),
      contracts: await Promise.all(
        (await connection.sources()).map((source) =>
          deployedContract(
            source,
            source === ownSource ? options.contract : contractOf(source),
            connect({ ...target, source }),
          ),
        ),
      ),
      role: 'operator',
      place: target.local ? 'local' : 'loopback',
      masked: false,
      canReveal: false,
      canReplay: await readContract().then(
        () => true,
        () => false,
      ),
      fill: sampleFill?.newest(),
    }),
    answer: createAnswerConsole({
      connection,
      query: createSignedFetch(signer),
      origin: new URL(url).origin,
      health: createHealthReader(
        commandLineHealth({
          connection,
          connectSource: (source) => connect({ ...target, source }),
          target,
          clock,
        }),
      ),
      readContract,
      source: ownSource,
    }),
  }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new CommandFailure(`Port ${options.port} is taken. Choose another with --port, or leave it out.`);
    throw error;
  });
  sampleFill = followSampleFill(process);
  terminal.out(`console ${server.url}\n`);
  const wait = context.beginWaiting();
  while (await wait(waitMs));
  sampleFill.stop();
  await server.close();
}
