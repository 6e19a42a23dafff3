import { contractFiles, hasService, loadContract } from '../../contract/document/contract-file-store.ts';
import type { Contract as ContractDocument } from '../../contract/schema/contract-schema.ts';

/** How an SMS service signs its requests, and how its events are read. docs/reference/contract.md describes the file. */
export class Contract {
  /** The validated contract, with its defaults filled in. */
  readonly document: ContractDocument;
  /** Whether it says how the webhook is registered, by `service` or by `registration`, which only `registration: true` needs. */
  readonly hasService: boolean;

  /**
   * Reads a contract file, together with what it extends.
   *
   * @param path relative to the folder that `cdk` runs in
   * @param namedBy what names the file, for messages
   * @throws ContractFileError naming every wrong path and what was expected there
   */
  static fromFile(path: string, namedBy = 'Contract.fromFile'): Contract {
    return new Contract(loadContract(path, { namedBy, isServiceOptional: true }));
  }

  /**
   * A contract of the package, for one of the services in docs/reference/contract.md.
   *
   * @param changes what differs for your account, for example `{ webhook: { signature: { header: 'x-our-token' } } }`. No preset says
   * how the webhook is registered: use `registration: false`, or add `registration` or `service` (docs/reference/contract.md)
   * @throws ContractFileError naming every wrong path and what was expected there
   */
  static preset(name: string, changes: Readonly<Record<string, unknown>> = {}): Contract {
    return Contract.of({ ...changes, extends: name }, 'Contract.preset');
  }

  /**
   * A contract as data.
   *
   * @throws ContractFileError naming every wrong path and what was expected there
   */
  static fromObject(document: Readonly<Record<string, unknown>>): Contract {
    return Contract.of(document, 'Contract.fromObject');
  }

  private static of(document: object, namedBy: string): Contract {
    const path = 'the contract';
    const read = (file: string) => (file === path ? JSON.stringify(document) : contractFiles.read(file));
    const files = { ...contractFiles, read };
    return new Contract(loadContract(path, { namedBy, name: namedBy, isServiceOptional: true, files }));
  }

  private constructor(document: ContractDocument) {
    this.document = document;
    this.hasService = hasService(document) || document.registration !== null;
  }
}
