import { readFile } from 'node:fs/promises';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { mainSource, wordsOf } from '../../../contract/events/source-id.ts';
import { parseJson } from '../../text/format.ts';
import { CommandFailure, explainFileErrors } from '../errors.ts';

/** The stacks of a pipeline that commands read, without the prefix of their names. */
export const stackNames = [
  'Storage',
  'Events',
  'Pipeline',
  'Registration',
  'Automations',
  'Analysis',
] as const;

export type StackName = (typeof stackNames)[number];

/** A stack as it was found. */
export interface StackState {
  readonly name: string;
  /** CloudFormation's word, such as UPDATE_COMPLETE; undefined on one machine. */
  readonly status: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The stack exists and lacks an output. */
export class MissingOutput extends CommandFailure {}

/** The outputs of the pipeline's stacks. */
export interface StackOutputs {
  /** Reads one output. @throws CommandFailure for a missing stack; {@link MissingOutput} for a missing output */
  output(stack: StackName, output: string): Promise<string>;
  /** Reads all outputs of a stack by name; none for a missing stack, because not every pipeline has all stacks. */
  stack(stack: StackName): Promise<Readonly<Record<string, string>>>;
  /** Reads a stack; undefined for a missing one. */
  state(stack: StackName): Promise<StackState | undefined>;
}

const startHint = 'Start the pipeline on this machine with: npm start';

/** The format of `cdk deploy --outputs-file` and `npm start`: outputs by stack and name. */
const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));

/** Names the stacks of a pipeline: `<prefix>-Storage` and so on. With `stack` one stack holds the whole pipeline. */
export interface StackNames {
  readonly prefix: string;
  /** The name of the one stack; with several pipelines in it `<name>:<prefix of the outputs' names>`. */
  readonly stack?: string;
  /** The source whose outputs are read where it has its own; `main` without it. */
  readonly source?: string;
}

/** The options that name other stacks. */
function naming({ stack }: StackNames): string {
  return stack === undefined ? '--prefix, --stack (a construct in your own app)' : '--stack';
}

/** The stacks of this machine, or of an account. */
interface StackSource {
  read(name: string): Promise<StackState | undefined>;
  explainAbsent(name: string): Promise<string>;
  explainMissing(stack: StackState, output: string): string;
}

/**
 * Reads the outputs of the pipeline on this machine.
 *
 * @param path of the outputs file
 */
export function localOutputs(path: string, names: StackNames): StackOutputs {
  return outputsFrom(
    {
      async read(name) {
        const outputs = (await readOutputs(path))[name];
        return outputs && { name, status: undefined, outputs };
      },
      explainAbsent: async (name) =>
        `${path} has no stack ${name}, only ${Object.keys(await readOutputs(path)).join(', ') || 'an empty list'}; ${naming(names)} names another one.`,
      explainMissing: ({ name }, output) => `${name} in ${path} has no output ${output}. ${startHint}`,
    },
    names,
  );
}

async function readOutputs(path: string): Promise<z.output<typeof outputsFile>> {
  const text = await explainFileErrors(
    (code) =>
      `No pipeline runs on this machine: ${code === 'ENOENT' ? 'there is no' : `${code} when reading`} ${path}. ${startHint}, or give the --dir that it was started with.`,
    () => readFile(path, 'utf8'),
  );
  const json = parseJson(text);
  if (json === undefined) throw new CommandFailure(`${path} is not JSON. ${startHint}, which rewrites it.`);
  const parsed = outputsFile.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(`${path} holds no outputs by stack and name. ${startHint}, which rewrites it.`);
}

/** Reads the outputs of the deployed stacks from CloudFormation, each stack once. */
export function deployedOutputs(
  connect: () => Promise<CloudFormationClient>,
  names: StackNames,
): StackOutputs {
  const reads = new Map<string, Promise<StackState | undefined>>();
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
        const read = reads.get(name) ?? describe(name);
        reads.set(name, read);
        return read;
      },
      explainAbsent: async (name) =>
        `There is no stack ${name} in ${await (await connect()).config.region()}. Deploy it, name another with ${naming(names)} or --region, or add --local for the pipeline on this machine.`,
      explainMissing: ({ name, status }, output) =>
        `The stack ${name} (${status}) has no output ${output}. Deploy it again.`,
    },
    names,
  );
}

function outputsFrom(stacks: StackSource, { prefix, stack: only, source }: StackNames): StackOutputs {
  const [single, chosen] = only?.split(':') ?? [];

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
    // Without its own output a source has no such thing, for example no look-ups, although `main` has.
    const shared = Object.entries(outputs).filter(([name]) => !outputsOfSources.has(name));
    return { ...state, outputs: Object.fromEntries([...shared, ...own]) };
  }

  async function state(part: StackName): Promise<StackState | undefined> {
    const found = await stacks.read(single ?? `${prefix}-${part}`);
    return found && withOutputsOfSource(single === undefined ? found : ownOutputs(found, chosen));
  }

  return {
    state,
    async output(part, output) {
      const found = await state(part);
      if (found === undefined)
        throw new CommandFailure(await stacks.explainAbsent(single ?? `${prefix}-${part}`));
      const value = found.outputs[output];
      if (value === undefined) throw new MissingOutput(stacks.explainMissing(found, output));
      return value;
    },
    async stack(part) {
      // One stack's outputs would be listed once for each part.
      if (single !== undefined && part !== 'Pipeline') return {};
      return (await state(part))?.outputs ?? {};
    },
  };
}

/** The outputs that each source has for itself. */
export const outputsOfSources: ReadonlySet<string> = new Set([
  'ContractHash',
  'DeadLetterQueueUrl',
  'EventsQueueUrl',
  'IngestFunctionName',
  'ReconcilerFunctionName',
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

/** Returns the names of all sources of a pipeline. @param outputs of the stack that receives */
export function sourcesOf({ Sources = mainSource }: Readonly<Record<string, string>>): readonly string[] {
  return Sources.split(',');
}

/** CDK ends the names of a construct's outputs so; those of the user's own stack have no such end. */
const hashed = /^(\w+)[0-9A-F]{8}$/;

/** A name of an output that every pipeline has, between the prefix that its construct gives it and CDK's hash. */
const everyPipelineHas = 'HistoryTableName';

/** Returns the stack with the outputs of its pipeline, without their prefix. @throws CommandFailure for none, and for several */
function ownOutputs({ outputs, ...stack }: StackState, chosen: string | undefined): StackState {
  const constructs = Object.entries(outputs).flatMap(([id, value]) => {
    const name = hashed.exec(id)?.[1];
    return name === undefined ? [] : [{ name, value }];
  });
  const prefixes = constructs.flatMap(({ name }) =>
    name.endsWith(everyPipelineHas) ? [name.slice(0, -everyPipelineHas.length)] : [],
  );
  const [prefix, ...others] = prefixes.filter((one) => chosen === undefined || one === chosen);
  if (prefix === undefined)
    throw new CommandFailure(
      `The stack ${stack.name} has no pipeline${chosen === undefined ? '' : ` ${chosen}`}: no output ${chosen ?? '...'}${everyPipelineHas}.`,
    );
  if (others.length > 0)
    throw new CommandFailure(
      `The stack ${stack.name} has several pipelines: name one with --stack ${stack.name}:${prefix}, or ${others.join(', ')}.`,
    );
  // The pipeline "SmsTest" is not a part of the pipeline "Sms".
  const longer = prefixes.filter((one) => one.length > prefix.length);
  const own = constructs.flatMap(({ name, value }) =>
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
