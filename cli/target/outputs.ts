import { readFile } from 'node:fs/promises';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { CommandFailure } from './errors.ts';

/** A stack of the pipeline, without the prefix of its name. */
export type StackName = 'Storage' | 'Pipeline' | 'Events' | 'Automations';

/** The stack is there and has no such output. */
export class MissingOutput extends CommandFailure {}

/**
 * Tells one output of a stack.
 * @throws CommandFailure where there is none, saying what to do; {@link MissingOutput} where the stack is there
 */
export type ReadOutput = (stack: StackName, output: string) => Promise<string>;

/** All outputs of a stack, by name; none where there is no such stack: not every pipeline has all of them. */
export type ReadStack = (stack: StackName) => Promise<Readonly<Record<string, string>>>;

const startHint = 'Start the pipeline on this machine with: npm start';

/** What `cdk deploy --outputs-file` and `npm start` write: outputs by stack and name. */
const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));

/**
 * The outputs of the pipeline on this machine.
 *
 * @param path of the outputs file
 * @param prefix of the stacks' names
 */
export function localOutputs(path: string, prefix: string): ReadOutput {
  return async (stack, output) => {
    const stacks = parseOutputs(path, await readText(path));
    const outputs = stacks[`${prefix}-${stack}`];
    if (outputs === undefined)
      throw new CommandFailure(
        `${path} has no stack ${prefix}-${stack}, only ${Object.keys(stacks).join(', ') || 'an empty list'}; --prefix names another one.`,
      );
    return outputs[output] ?? missing(`${prefix}-${stack} in ${path}`, output, startHint);
  };
}

/** As {@link localOutputs}, all of a stack. */
export function localStacks(path: string, prefix: string): ReadStack {
  return async (stack) => parseOutputs(path, await readText(path))[`${prefix}-${stack}`] ?? {};
}

/** The outputs of the deployed stacks. */
export function deployedOutputs(connect: () => Promise<CloudFormationClient>, prefix: string): ReadOutput {
  return async (stack, output) => {
    const name = `${prefix}-${stack}`;
    const client = await connect();
    const found = await describeStack(client, name);
    if (found === undefined) {
      const region = await client.config.region();
      throw new CommandFailure(
        `There is no stack ${name} in ${region}. Deploy it, name another with --prefix or --region, or add --local for the pipeline on this machine.`,
      );
    }
    const value = found.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
    return (
      value ?? missing(`The stack ${name} (${found.StackStatus ?? 'unknown'})`, output, 'Deploy it again.')
    );
  };
}

/** As {@link deployedOutputs}, all of a stack. */
export function deployedStacks(connect: () => Promise<CloudFormationClient>, prefix: string): ReadStack {
  return async (stack) => {
    const found = await describeStack(await connect(), `${prefix}-${stack}`);
    const outputs = found?.Outputs ?? [];
    return Object.fromEntries(
      outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
  };
}

/** Reads a stack from CloudFormation; undefined where there is none of this name. */
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

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    const problem = error.code === 'ENOENT' ? 'there is no' : `${error.code} when reading`;
    throw new CommandFailure(
      `No pipeline runs on this machine: ${problem} ${path}. ${startHint}, or give the --dir that it was started with.`,
    );
  }
}

function parseOutputs(path: string, text: string): z.output<typeof outputsFile> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new CommandFailure(`${path} is not JSON. ${startHint}, which writes it anew.`);
  }
  const parsed = outputsFile.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(`${path} holds no outputs by stack and name. ${startHint}, which writes it anew.`);
}

function missing(where: string, output: string, advice: string): never {
  throw new MissingOutput(`${where} has no output ${output}. ${advice}`);
}
