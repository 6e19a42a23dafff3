import { readFile } from 'node:fs/promises';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { parseJson } from '../text/format.ts';
import { CommandFailure, explainFileErrors } from './errors.ts';

export const stackNames = [
  'Storage',
  'Events',
  'Pipeline',
  'Registration',
  'Automations',
  'Analysis',
] as const;

/** A stack of the pipeline, without the prefix of its name. */
export type StackName = (typeof stackNames)[number];

/** The stack exists and lacks an output. */
export class MissingOutput extends CommandFailure {}

/** The outputs of the pipeline's stacks. */
export interface StackOutputs {
  /** Reads one output. @throws CommandFailure for a missing stack; {@link MissingOutput} for a missing output */
  output(stack: StackName, output: string): Promise<string>;
  /** Reads all outputs of a stack by name; none for a missing stack, because not every pipeline has all stacks. */
  stack(stack: StackName): Promise<Readonly<Record<string, string>>>;
}

const startHint = 'Start the pipeline on this machine with: npm start';

/** The format of `cdk deploy --outputs-file` and `npm start`: outputs by stack and name. */
const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));

/**
 * Reads the outputs of the pipeline on this machine.
 *
 * @param path of the outputs file
 * @param prefix of the stacks' names
 */
export function localOutputs(path: string, prefix: string): StackOutputs {
  return {
    async output(stack, output) {
      const stacks = await readOutputs(path);
      const outputs = stacks[`${prefix}-${stack}`];
      if (outputs === undefined)
        throw new CommandFailure(
          `${path} has no stack ${prefix}-${stack}, only ${Object.keys(stacks).join(', ') || 'an empty list'}; --prefix names another one.`,
        );
      return outputs[output] ?? missing(`${prefix}-${stack} in ${path}`, output, startHint);
    },
    stack: async (stack) => (await readOutputs(path))[`${prefix}-${stack}`] ?? {},
  };
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

/** Reads the outputs of the deployed stacks from CloudFormation. */
export function deployedOutputs(connect: () => Promise<CloudFormationClient>, prefix: string): StackOutputs {
  return {
    async output(stack, output) {
      const name = `${prefix}-${stack}`;
      const client = await connect();
      const description = await describeStack(client, name);
      if (description === undefined)
        throw new CommandFailure(
          `There is no stack ${name} in ${await client.config.region()}. Deploy it, name another with --prefix or --region, or add --local for the pipeline on this machine.`,
        );
      const { Outputs = [], StackStatus = 'unknown' } = description;
      const value = Outputs.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
      return value ?? missing(`The stack ${name} (${StackStatus})`, output, 'Deploy it again.');
    },
    async stack(stack) {
      const description = await describeStack(await connect(), `${prefix}-${stack}`);
      const outputs = description?.Outputs ?? [];
      return Object.fromEntries(
        outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      );
    },
  };
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

function missing(where: string, output: string, advice: string): never {
  throw new MissingOutput(`${where} has no output ${output}. ${advice}`);
}
