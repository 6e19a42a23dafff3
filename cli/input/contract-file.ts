import { existsSync } from 'node:fs';
import {
  ContractFileError,
  contractFiles,
  loadContract,
  pathOfContract,
  shippedContract,
} from '../../contract/document/contract-file-store.ts';
import {
  describesEvents,
  explainRenamed,
  listPresets,
  presetNames,
  readExtended,
} from '../../contract/document/extend.ts';
import { nearestNames } from '../../contract/document/nearest-names.ts';
import { projectContract } from '../../contract/document/project-store.ts';
import { contractHash } from '../../contract/events/body.ts';
import { type ContractFacts, contractFacts } from '../../contract/events/contract-facts.ts';
import { mainSource } from '../../contract/events/source-id.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { Connection } from '../target/connection.ts';
import type { Terminal } from '../target/context.ts';
import { CommandFailure } from '../target/errors.ts';
import { shellQuoted } from '../text/format.ts';
import type { DeployedContractOptions } from './options.ts';

type LoadOptions = Omit<Parameters<typeof loadContract>[1], 'namedBy'>;

/**
 * Reads a contract together with what it extends. It may differ from the one that the pipeline works by: {@link readDeployedContract}.
 *
 * @param instead a sentence on what else the user can do if there is no such file
 * @throws CommandFailure naming the file and what is wrong with it
 */
export async function readContract(path: string, instead?: string): Promise<Contract> {
  return load(path, { isServiceOptional: true }, instead);
}

/**
 * Reads the contract as readContract does, unless there is no file by the usual name: an app may have its contract in its code.
 *
 * @param isNamed whether the user named the file
 */
export async function readContractIfAny(path: string, isNamed: boolean): Promise<Contract | undefined> {
  return isNamed || existsSync(path) ? readContract(path) : undefined;
}

/** How a command goes on with a contract that is not the deployed one. */
export interface MismatchPolicy {
  /** Whether the command only shows something, so that a warning is enough. */
  readonly onlyWarn?: boolean;
  /** What the user can do apart from using the deployed contract. */
  readonly wayOut?: string;
  /** A sentence on what else the user can do if there is no such file. */
  readonly instead?: string;
}

/**
 * Reads the contract of a command that works with what the pipeline does by it.
 *
 * @throws CommandFailure as readContract; also if the pipeline works by another contract, unless the user or the command accepts that
 */
export async function readDeployedContract(
  { contract: path, local, acceptMismatch }: DeployedContractOptions,
  connection: Pick<Connection, 'contractHash'>,
  { err }: Pick<Terminal, 'err'>,
  { onlyWarn = acceptMismatch === true, wayOut = 'add --accept-mismatch', instead }: MismatchPolicy = {},
): Promise<Contract> {
  const contract = await readContract(path, instead);
  const atHand = contractHash(contract);
  const deployed = await connection.contractHash();
  if (deployed === atHand) return contract;
  const problem = `The pipeline works by another contract (${deployed}) than ${path} (${atHand}).`;
  if (!onlyWarn)
    throw new CommandFailure(
      `${problem} Name the deployed file with --contract, or ${wayOut}. ${howToApply(path, local === true)}`,
    );
  err(`warning: ${problem}\n`);
  return contract;
}

/** Returns the path of the contract of a source in the project of the current folder. */
export const contractOf = (source: string): string =>
  projectContract(undefined, source === mainSource ? undefined : source);

/** What is known of the contract by which a pipeline reads the reports of a source. */
export type DeployedContract = Omit<ContractFacts, 'delivered'> & {
  /** The words of the service that mean `delivered`; null if the contract at hand is not the deployed one. */
  readonly delivered: ContractFacts['delivered'] | null;
};

/**
 * Returns what is known of the deployed contract of a source. Its words are known if it is at hand.
 *
 * @param path of the contract of this source, as far as the command line knows
 */
export async function deployedContract(
  source: string,
  path: string,
  { contractHash: readHash }: Pick<Connection, 'contractHash'>,
): Promise<DeployedContract> {
  const hash = await readHash();
  const atHand = await readContract(path).catch((error: unknown) => {
    if (error instanceof CommandFailure) return undefined;
    throw error;
  });
  const facts = atHand && contractFacts(source, atHand);
  return facts?.hash === hash ? facts : { source, hash, service: null, delivered: null };
}

/** Explains how a contract comes into effect. */
export function howToApply(path: string, local: boolean): string {
  return local
    ? `To put this one into effect, wait a few seconds if you have just changed it, or start the pipeline with: npm start -- -c sms:contractFile=${shellQuoted(path)}`
    : 'To put this one into effect, deploy it.';
}

/**
 * Reads a contract to test it: its samples may fail, and the contract that ships completes a preset.
 *
 * @throws CommandFailure as readContract
 */
export async function readContractToTest(path: string): Promise<Contract> {
  return load(path, { presetsCompletedBy: shippedContract, acceptsFailingSamples: true });
}

/** Reports whether a contract says what events mean, itself or by its preset. The pipeline does not take one that describes a signature alone. */
export function hasEvents(path: string): boolean {
  return describesEvents(readExtended(pathOfContract(path), contractFiles).document);
}

/** Names the preset or file that a contract inherits its samples from; undefined if the samples are its own. */
export function originOfSamples(path: string): string | undefined {
  return readExtended(pathOfContract(path), contractFiles).samplesFrom;
}

function explainAbsent(path: string): string {
  const listed = `the name of a preset: ${listPresets(contractFiles)}.`;
  if (path === projectContract()) return `There is no ${path}. Give --contract a file, or ${listed}`;
  const renamed = explainRenamed(path);
  if (renamed !== undefined) return `--contract: ${renamed}`;
  const [meant] = nearestNames(path, presetNames(contractFiles));
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `--contract "${path}" is neither a file nor a preset.${hint} Expected a file, or ${listed}`;
}

function load(path: string, options: LoadOptions, instead = ''): Contract {
  if (!existsSync(pathOfContract(path))) throw new CommandFailure(`${explainAbsent(path)}${instead}`);
  try {
    const namedBy = '--contract, which also takes the name of a preset,';
    return loadContract(pathOfContract(path), { ...options, name: path, namedBy });
  } catch (error) {
    if (error instanceof ContractFileError) throw new CommandFailure(error.message);
    throw error;
  }
}
