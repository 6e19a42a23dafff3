import { resolve } from 'node:path';
import { type Command as CommanderCommand, InvalidArgumentError, Option } from 'commander';
import { defaultStack, projectContract, projectFolder } from '../../contract/document/project-store.ts';
import { mainSource } from '../../contract/events/source-id.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import type { Target } from '../target/connection.ts';
import { namesStack } from '../target/default-target.ts';
import { UsageError } from '../target/errors.ts';
import type { Command } from './command.ts';
import { addJsonOption, type JsonOptions } from './json-option.ts';

/** Options of every command that connects to a pipeline. */
export interface TargetOptions extends JsonOptions {
  readonly local?: true;
  readonly dir: string;
  readonly stack: string;
  readonly source?: string;
  readonly region?: string;
  readonly profile?: string;
}

export interface ContractOptions {
  readonly contract: string;
}

export interface DeployedContractOptions extends ContractOptions, Pick<TargetOptions, 'local'> {
  readonly acceptMismatch?: true;
}

export interface RevealOptions {
  readonly reveal?: true;
}

export function addTargetOptions(command: Command): Command {
  return addJsonOption(addPipelineOptions(command));
}

/** Adds the options of {@link addTargetOptions} except --json, for commands with their own output formats. */
export function addPipelineOptions(command: Command): Command {
  for (const option of targetOptions()) command.addOption(option);
  return command;
}

/** An option that names a pipeline. The help of a command only mentions these: format-help.ts leaves them out. */
class TargetOption extends Option {}

function targetOptions(): Option[] {
  return [
    new TargetOption('--local', 'the pipeline on this machine (npm start)'),
    new TargetOption('--dir <folder>', 'the same, with the --dir that npm start was given')
      .default('.local', '.local of the project')
      .argParser((folder) => resolve(folder))
      .implies({ local: true }),
    new TargetOption('--stack <name>', 'the stack that holds the pipeline')
      .default(defaultStack)
      .argParser(stackName),
    new TargetOption(
      '--source <name>',
      'the source, of a pipeline with several, that is meant; lists and figures are of all sources without it',
    ),
    new TargetOption('--region <region>', 'AWS region of the stack (default: as the AWS CLI)').conflicts(
      'local',
    ),
    new TargetOption('--profile <name>', 'profile of the AWS configuration files').conflicts('local'),
  ];
}

export function isTargetOption(option: Option): boolean {
  return option instanceof TargetOption;
}

/** Adds --contract. Its default is read before the command runs, by {@link applyDefaultContract}, because that may fail. */
export function addContractOption(command: Command): Command {
  return command.addOption(new ContractOption());
}

class ContractOption extends Option {
  constructor() {
    super('--contract <file>', "the contract's file, or a preset (default: that of sms:contractFile)");
    this.argParser(notEmpty);
  }
}

/** @throws ProjectFileError for a cdk.json that cannot be read */
export function applyDefaultContract(command: CommanderCommand): void {
  const isOpen = command.getOptionValue('contract') === undefined;
  if (isOpen && command.options.some((option) => option instanceof ContractOption))
    command.setOptionValueWithSource(
      'contract',
      projectContract(projectFolder, sourceOf(command)),
      'default',
    );
}

/** Returns the source that a command names, other than `main`. */
function sourceOf(command: CommanderCommand): string | undefined {
  const { source } = command.optsWithGlobals<{ source?: string }>();
  return source === mainSource ? undefined : source;
}

/** Adds the options of a command that needs the contract that the pipeline works by. */
export function addDeployedContractOptions(command: Command): Command {
  return addContractOption(command).option(
    '--accept-mismatch',
    'go on although the pipeline works by another contract',
  );
}

export function addRevealOption(command: Command): Command {
  return command.option('--reveal', 'show phone numbers in full');
}

/** Returns the target of a command that is about all sources. @throws UsageError for `--source` */
export function wholeTargetOf(options: TargetOptions): Target {
  if (options.source !== undefined)
    throw new UsageError('This command is about all sources of the pipeline: leave --source out.');
  return targetOf(options);
}

export function targetOf({ local, dir, stack, source, region, profile }: TargetOptions): Target {
  return {
    local: local === true,
    directory: dir,
    stack,
    ...omitUndefined({ source, region, profile }),
  };
}

/** Reads a whole number for commander. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

/** @throws InvalidArgumentError for a text that names no stack, such as an ARN */
function stackName(text: string): string {
  if (namesStack(text)) return text;
  throw new InvalidArgumentError(
    'Expected the name of a stack, not its ARN, for example SmsPipeline; or <name>:<id> if it holds several pipelines.',
  );
}

/** Rejects an empty text for commander, which is often an unset variable of a script. */
export function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a non-empty text.');
  return text;
}
