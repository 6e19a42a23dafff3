import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf, UserError } from '../terminal/terminal.ts';

/** The options of a local run. */
export interface Options {
  /** First of five ports in a row. */
  readonly port: number;
  /** Whether to end after the demonstration, with exit code 0 if it succeeded. */
  readonly demo: boolean;
  /** Whether to play the demonstration. */
  readonly demonstrate: boolean;
  /** Whether to fill the pipeline with 30 days of traffic, instead of the demonstration. */
  readonly sample: boolean;
  /** CDK context, as with `cdk -c key=value`. */
  readonly context: Readonly<Record<string, string>>;
  /** Folder for the synthesized templates, logs and outputs of the run. */
  readonly directory: string;
  /** Whether the tables stay for the next run, in the folder of the run. */
  readonly keep: boolean;
  /** Whether to serve the console, on the port after the five. */
  readonly console: boolean;
  readonly help: boolean;
}

export const HELP = `Runs the stacks on this machine, without an AWS account.

Usage: npm start -- [options]

  --port <n>          first of five ports (default 4000): the pipeline's HTTP API, the SMS service's sandbox,
                      DynamoDB, SQS, and Secrets Manager with Lambda
  --demo              play the demonstration, then end: exit code 0 if it succeeded
  --no-demo           do not play the demonstration
  --sample            fill the pipeline with 30 days of made-up traffic instead, and send some more slowly
  -c <key=value>      a setting, as with cdk, for example -c sms:retentionDays=90 (may be given several times)
  --dir <folder>      where templates, logs and outputs go (default .local of the project)
  --keep              keep the tables in --dir, and go on with those of the last run that kept them
  --no-console        do not serve the console, which has the port after the five
  --help              show this

Runs until Ctrl-C. -c local:serviceContract=FILE gives the sandbox another contract than the pipeline.

A changed contract file is applied while it runs, and a line then says so. All ports are on 127.0.0.1 (DynamoDB Local, behind its port, listens on all network interfaces, and shows the tables only to this run).`;

/** The folder in which the command-line tool looks for the outputs of a run. */
export const DEFAULT_DIRECTORY = '.local';

const DEFAULT_PORT = 4000;
const PORT_COUNT = 5;
/** The bad ports of the Fetch standard above 1024 (https://fetch.spec.whatwg.org/#port-blocking). */
const portsRefusedByFetch = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
]);

/**
 * @param callersFolder the folder to which a relative --dir is relative
 * @throws UserError for unknown or invalid options
 */
export function parseOptions(args: readonly string[], callersFolder: string): Options {
  const { values } = parse(args);
  const port = Number(values.port ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_536 - PORT_COUNT) {
    throw new UserError(`--port expects a number from 1 to ${65_536 - PORT_COUNT}, not ${values.port}`);
  }
  for (let each = port; each < port + PORT_COUNT; each += 1)
    if (portsRefusedByFetch.has(each))
      throw new UserError(
        `--port ${port} uses port ${each}, which Node.js's fetch and browsers refuse to use: choose another`,
      );
  if (values.demo && values.sample) throw new UserError('--demo and --sample exclude each other');
  if (values.demo && values['no-demo']) throw new UserError('--demo and --no-demo exclude each other');
  return {
    port,
    demo: values.demo,
    demonstrate: !values['no-demo'] && !values.sample,
    sample: values.sample,
    context: Object.fromEntries(values.context.map(contextEntry)),
    directory: values.dir === undefined ? DEFAULT_DIRECTORY : resolve(callersFolder, values.dir),
    keep: values.keep,
    console: !values['no-console'] && !values.demo,
    help: values.help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        demo: { type: 'boolean', default: false },
        'no-demo': { type: 'boolean', default: false },
        sample: { type: 'boolean', default: false },
        context: { type: 'string', short: 'c', multiple: true, default: [] },
        dir: { type: 'string' },
        keep: { type: 'boolean', default: false },
        'no-console': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    const [reason = ''] = reasonOf(error).split('. ');
    throw new UserError(`${reason} (see --help)`);
  }
}

function contextEntry(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UserError(`-c expects key=value, not ${text}`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
