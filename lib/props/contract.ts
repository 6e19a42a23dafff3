import { Token } from 'aws-cdk-lib';
import {
  ContractFileError,
  contractFiles,
  hasService,
  loadContract,
  nameOf,
  problemWithPreset,
} from '../../contract/document/contract-file-store.ts';
import type { Contract as ContractDocument } from '../../contract/schema/contract-schema.ts';
import { isObject } from '../../contract/text/json.ts';

/** How an SMS service signs its requests, and how its events are read. docs/reference/contract.md describes the file. */
export class Contract {
  /**
   * Reads a contract file, together with what it extends. An error names every wrong path and what was expected there.
   *
   * @param path relative to the folder that `cdk` runs in
   */
  static fromFile(path: string): Contract {
    if (typeof path !== 'string' || path === '')
      throw new ContractFileError(
        `Contract.fromFile: found ${nameOf(path)}, expected the path of a contract file`,
      );
    return Contract._fromFile(path, 'Contract.fromFile');
  }

  /**
   * A contract of the package. An error names every wrong path.
   *
   * @param name one of {@link Preset}, for example `Preset.TWILIO`, or of {@link SignaturePreset} together with the events in `changes`
   * @param changes what differs for your account, for example `{ webhook: { signature: { header: 'x-our-token' } } }`
   */
  static preset(name: string, changes: { [key: string]: unknown } = {}): Contract {
    const problem = problemWithPreset(name, changes);
    if (problem !== undefined) throw new ContractFileError(`Contract.preset: ${problem}`);
    return Contract.of({ ...changes, extends: name }, 'Contract.preset');
  }

  /** A contract as data. An error names every wrong path and what was expected there. */
  static fromObject(document: { [key: string]: unknown }): Contract {
    if (!isObject(document))
      throw new ContractFileError(
        `Contract.fromObject: found ${nameOf(document)}, expected an object with the keys of a contract`,
      );
    return Contract.of(document, 'Contract.fromObject');
  }

  /** @internal */
  static _fromFile(path: string, namedBy: string): Contract {
    return new Contract(loadContract(path, { namedBy, isServiceOptional: true }));
  }

  private static of(document: object, namedBy: string): Contract {
    const tokenPath = pathOfToken(document);
    if (tokenPath !== undefined)
      throw new ContractFileError(
        `${namedBy}: ${tokenPath}: found a token of CDK, whose value is known at deployment only, expected a value that is known at synth, because the code of the functions holds the contract`,
      );
    const path = 'the contract';
    const read = (file: string) => (file === path ? JSON.stringify(document) : contractFiles.read(file));
    const files = { ...contractFiles, read };
    return new Contract(loadContract(path, { namedBy, name: namedBy, isServiceOptional: true, files }));
  }

  /** Whether the contract says how the webhook is registered, by `service` or by `registration`. */
  readonly registersWebhook: boolean;
  /**
   * The validated contract, with its defaults filled in.
   *
   * @internal
   */
  readonly _document: ContractDocument;

  private constructor(document: ContractDocument) {
    this._document = document;
    this.registersWebhook = hasService(document) || document.registration !== null;
  }
}

/** Returns the path of the first token of CDK in a document. */
function pathOfToken(value: unknown, path = ''): string | undefined {
  if (Token.isUnresolved(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, below] of Object.entries(value)) {
    const found = pathOfToken(below, path === '' ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
