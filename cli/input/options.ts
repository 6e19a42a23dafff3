import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Target } from '../target/connection.ts';

/** Options of every command that talks to a pipeline. */
export interface TargetOptions {
  readonly local?: true;
  readonly dir: string;
  readonly prefix: string;
  readonly region?: string;
  readonly profile?: string;
  readonly json?: true;
}

export interface ContractOptions {
  readonly contract: string;
}

export interface RevealOptions {
  readonly reveal?: true;
}

const shippedContract = fileURLToPath(new URL('../../contract.json', import.meta.url));

export function addTargetOptions(command: Command): Command {
  return addPipelineOptions(command).option(
    '--json',
    'exactly one JSON document on stdout, numbers in full; errors go to stderr as text',
  );
}

/** As {@link addTargetOptions}, for commands whose output is of a form of its own. */
export function addPipelineOptions(command: Command): Command {
  return command
    .option('--local', 'the pipeline on this machine (npm start), instead of the deployed one')
    .addOption(
      new Option('--dir <folder>', 'the same, where npm start was given another --dir')
        .default('.local', '.local of the project')
        .argParser((folder) => resolve(folder))
        .implies({ local: true }),
    )
    .option('--prefix <name>', "what the stacks' names begin with", 'SmsPipeline')
    .addOption(
      new Option('--region <region>', 'AWS region of the stacks (default: as the AWS CLI)').conflicts(
        'local',
      ),
    )
    .addOption(new Option('--profile <name>', 'profile of the AWS configuration files').conflicts('local'));
}

export function addContractOption(command: Command): Command {
  return command.addOption(
    new Option('--contract <file>', "the contract's file").default(
      shippedContract,
      'contract.json of the project',
    ),
  );
}

export function addRevealOption(command: Command): Command {
  return command.option('--reveal', 'show phone numbers in full');
}

export function targetOf({ local, dir, prefix, region, profile }: TargetOptions): Target {
  return {
    local: local === true,
    directory: dir,
    prefix,
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** The options that a suggested command needs to reach the same pipeline. */
export function sameTarget(target: Target): string {
  return [
    target.local ? ' --local' : '',
    target.directory === '.local' ? '' : ` --dir ${target.directory}`,
    target.prefix === 'SmsPipeline' ? '' : ` --prefix ${target.prefix}`,
    target.region === undefined ? '' : ` --region ${target.region}`,
    target.profile === undefined ? '' : ` --profile ${target.profile}`,
  ].join('');
}

/** Reads a whole number for commander. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Refuses an empty text for commander: an unset variable of a script would go unnoticed. */
export function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a text that is not empty.');
  return text;
}
