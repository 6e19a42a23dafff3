import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { readOwnFile } from '../../../contract/document/own-file-store.ts';
import { mainSource, sourceName, wordsOf } from '../../../contract/events/source-id.ts';
import { parseJson } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { CommandFailure, explainFileErrors } from '../errors.ts';

/** A stack as it was found. */
export interface StackState {
  readonly name: string;
  /** CloudFormation's word, such as UPDATE_COMPLETE; undefined on one machine. */
  readonly status: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The stack exists and lacks an output. */
export class MissingOutput extends CommandFailure {}

/** The outputs of a pipeline, by the names that docs/reference/outputs.md has. */
export interface PipelineOutputs {
  /** Reads one output. @throws CommandFailure for a missing stack; {@link MissingOutput} for a missing output */
  output(name: string): Promise<string>;
  /** Reads all outputs; none for a missing stack. */
  all(): Promise<Readonly<Record<string, string>>>;
  /** Reads the stack; undefined for a missing one. */
  state(): Promise<StackState | undefined>;
}

const startHint = 'Start the pipeline on this machine with: npm start';

/** The format of `cdk deploy --outputs-file` and `npm start`: outputs by stack and name. */
const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));

/** Names a pipeline. */
export interface PipelineName {
  /** The name of its stack; with several pipelines in it `<name>:<prefix of the outputs' names>`. */
  readonly stack: string;
  /** The source whose outputs are read where it has its own; `main` without it. */
  readonly source?: string;
}

/** The stacks of this machine, or of an account. */
interface StackSource {
  read(name: string): Promise<StackState | undefined>;
  /** @throws CommandFailure for outputs that cannot be those of such a stack */
  check?(outputs: StackState['outputs']): void;
  explainAbsent(name: string): Promise<string>;
  explainMissing(stack: StackState, output: string): string;
}

/**
 * Reads the outputs of the pipeline on this machine.
 *
 * @param path of the outputs file
 */
export function localOutputs(path: string, names: PipelineName): PipelineOutputs {
  return outputsFrom(
    {
      async read(name) {
        const outputs = (await readOutputs(path))[name];
        return outputs && { name, status: undefined, outputs };
      },
      check: (outputs) => requireLoopback(path, outputs),
      explainAbsent: async (name) =>
        `${path} has no stack ${name}, only ${Object.keys(await readOutputs(path)).join(', ') || 'an empty list'}; --stack names another one.`,
      explainMissing: ({ name }, output) => `${name} in ${path} has no output ${output}. ${startHint}`,
    },
    names,
  );
}

/** The outputs that commands send questions, signed requests or stored data to. */
const addresses = /(?:Query|Queue|Webhook)Url(?:WithRetries)?$/;

/**
 * A run on this machine has its addresses on this machine. A file that names another host would have the history, or what is replayed, sent
 * there.
 *
 * @throws CommandFailure
 */
function requireLoopback(path: string, outputs: StackState['outputs']): void {
  for (const [name, value] of Object.entries(outputs)) {
    const host = addresses.test(name) ? URL.parse(value)?.host : undefined;
    if (host !== undefined && !/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host))
      throw new CommandFailure(
        `${name} in ${path} is at ${host || 'no host'}, and a pipeline on this machine is at 127.0.0.1. ${startHint}, which rewrites the file.`,
      );
  }
}

async function readOutputs(path: string): Promise<z.output<typeof outputsFile>> {
  const text = await explainFileErrors(
    (code) =>
      `No pipeline runs on this machine: ${code === 'ENOENT' ? 'there is no' : `${code} when reading`} ${path}. ${startHint}, or give the --dir that it was started with.`,
    async () => readOwnFile(path),
  );
  const json = parseJson(text);
  if (json === undefined) throw new CommandFailure(`${path} is not JSON. ${startHint}, which rewrites it.`);
  const parsed = outputsFile.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(`${path} holds no outputs by stack and name. ${startHint}, which rewrites it.`);
}

/** Reads the outputs of a deployed pipeline from CloudFormation, once. */
export function deployedOutputs(
  connect: () => Promise<CloudFormationClient>,
  names: PipelineName,
): PipelineOutputs {
  let read: Promise<StackState | undefined> | undefined;
  async function describe(name: string): Promise<StackState | undefined> {
    const description = await describeStack(await connect(), name);
    if (description === undefined) return undefined;
    const { Outputs = [], StackStatus: status = 'unknown' } = description;
    const outputs = Object.fromEntries(
      Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
    return { name, status, outputs };
  }
  return outputsFrom(
    {
      read(name) {
        // The next question reads again after a failure.
        read ??= describe(name).catch((error: unknown) => {
          read = undefined;
          throw error;
        });
        return read;
      },
      explainAbsent: async (name) =>
        `There is no stack ${name} in ${await (await connect()).config.region()}. Deploy it, name another with --stack or --region, or add --local for the pipeline on this machine.`,
      explainMissing: ({ name, status }, output) =>
        `The stack ${name} (${status}) has no output ${output} of a pipeline. Deploy it again, or name another stack with --stack.`,
    },
    names,
  );
}

function outputsFrom(stacks: StackSource, { stack, source }: PipelineName): PipelineOutputs {
  const [name = '', chosen] = stack.split(':');

  /** Returns a stack with the outputs of the source in place of those of `main`. */
  function withOutputsOfSource(found: StackState): StackState {
    const { outputs, ...state } = found;
    if (source === undefined || source === mainSource) return found;
    const known = sourcesOf(outputs);
    if (outputs.WebhookUrl !== undefined && !known.includes(source))
      throw new CommandFailure(
        `The pipeline has no source ${source}; --source names one of ${known.join(', ')}.`,
      );
    const begin = outputsPrefix(source);
    const own = Object.entries(outputs).flatMap(([name, value]) =>
      name.startsWith(begin) ? [[name.slice(begin.length), value] as const] : [],
    );
    // Without its own output a source has no such thing, for example no lookups, although `main` has.
    const shared = Object.entries(outputs).filter(([name]) => !outputsOfSources.has(name));
    return { ...state, outputs: Object.fromEntries([...shared, ...own]) };
  }

  async function state(): Promise<StackState | undefined> {
    const found = await stacks.read(name);
    if (found === undefined) return undefined;
    const own = ownOutputs(found, chosen);
    stacks.check?.(own.outputs);
    return withOutputsOfSource(own);
  }

  return {
    state,
    async output(output) {
      const found = await state();
      if (found === undefined) throw new CommandFailure(await stacks.explainAbsent(name));
      const value = found.outputs[output];
      if (value === undefined) throw new MissingOutput(stacks.explainMissing(found, output));
      return value;
    },
    all: async () => (await state())?.outputs ?? {},
  };
}

/** The outputs that each source has for itself. */
export const outputsOfSources: ReadonlySet<string> = new Set([
  'ContractHash',
  'DeadLetterQueueUrl',
  'EventsQueueUrl',
  'IngestFunctionName',
  'LookupFunctionName',
  'RegisteredUrl',
  'Registration',
  'SecretOverlapHours',
  'SetupFunctionName',
  'WebhookSecretId',
  'WebhookStateTableName',
  'WebhookUrl',
  'WebhookUrlWithRetries',
]);

/** Returns the beginning of the outputs of a source other than `main`: that of `brazil-backup` is `SourceBrazilBackup`. */
function outputsPrefix(source: string): string {
  return `Source${wordsOf(source)}`;
}

/**
 * Returns the names of all sources of a pipeline.
 *
 * @throws CommandFailure for what is no name: names get into commands that people copy
 */
export function sourcesOf({ Sources = mainSource }: Readonly<Record<string, string>>): readonly string[] {
  const names = Sources.split(',');
  const wrong = names.find((name) => !sourceName.test(name));
  if (wrong === undefined) return names;
  throw new CommandFailure(
    `The output Sources has ${JSON.stringify(sanitize(wrong))}, which is no name of a source. Deploy the pipeline again, or start it again with npm start.`,
  );
}

/** The CDK ends the names of outputs with a hash, except those of a pipeline whose id is `Default`. */
const hashed = /^(\w+)[0-9A-F]{8}$/;

/** A name of an output that every pipeline has, between the prefix that its id gives it and the hash. */
const everyPipelineHas = 'HistoryTableName';

/**
 * Returns the stack with the outputs of its pipeline, without their prefix and hash. A stack without a pipeline, for example after its first
 * deployment failed, has no outputs.
 *
 * @throws CommandFailure for several pipelines, and for an unknown one
 */
function ownOutputs({ outputs, ...stack }: StackState, chosen: string | undefined): StackState {
  const withHash = Object.entries(outputs).flatMap(([id, value]) => {
    const name = hashed.exec(id)?.[1];
    return name === undefined ? [] : [{ name, value }];
  });
  const prefixes = [
    ...(everyPipelineHas in outputs ? [''] : []),
    ...withHash.flatMap(({ name }) =>
      name.endsWith(everyPipelineHas) ? [name.slice(0, -everyPipelineHas.length)] : [],
    ),
  ];
  const [prefix, ...others] = prefixes.filter((one) => chosen === undefined || one === chosen);
  if (prefix === undefined) {
    if (chosen === undefined) return { ...stack, outputs: {} };
    throw new CommandFailure(
      `The stack ${stack.name} has no pipeline "${chosen}": no output ${chosen}${everyPipelineHas}.`,
    );
  }
  if (others.length > 0)
    throw new CommandFailure(
      `The stack ${stack.name} has several pipelines: name one with --stack: ${prefixes.map((one) => `${stack.name}:${one}`).join(', ')}.`,
    );
  if (prefix === '')
    return {
      ...stack,
      outputs: Object.fromEntries(Object.entries(outputs).filter(([id]) => !hashed.test(id))),
    };
  // The pipeline "SmsTest" is not a part of the pipeline "Sms".
  const longer = prefixes.filter((one) => one.length > prefix.length);
  const own = withHash.flatMap(({ name, value }) =>
    name.startsWith(prefix) && !longer.some((one) => name.startsWith(one))
      ? [[name.slice(prefix.length), value]]
      : [],
  );
  return { ...stack, outputs: Object.fromEntries(own) };
}

/** Reads a stack from CloudFormation; returns undefined for a stack that does not exist. */
export async function describeStack(client: CloudFormationClient, name: string) {
  const { CloudFormationServiceException, DescribeStacksCommand } = await import(
    '@aws-sdk/client-cloudformation'
  );
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (error) {
    // CloudFormation has no error of its own for a stack that does not exist.
    const isAbsent =
      error instanceof CloudFormationServiceException &&
      error.name === 'ValidationError' &&
      error.message.includes('does not exist');
    if (isAbsent) return undefined;
    throw error;
  }
}
