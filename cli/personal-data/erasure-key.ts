import { randomBytes } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { omitUndefined } from '../../functions/base/basics.ts';
import { keysIn } from './erased-persons.ts';

/** The keys by which erased persons are known: a secret beside the history, which the first erasure makes. */
export interface ErasureKey {
  /** The name of the secret. */
  readonly name: string;
  /** Returns the keys, the one for new erasures first; none before the first erasure. */
  read(): Promise<readonly string[]>;
  /** Returns the key for new erasures. The first call makes it. Undefined if someone has emptied the secret. */
  ensure(): Promise<string | undefined>;
}

/** Returns the name of the secret of a history. It stays with the table, also after its stack. */
const erasureKeyName = (historyTable: string): string => `${historyTable}/erasure-key`;

/** @param kmsKey the key that encrypts the pipeline's data, if it is not AWS's own */
export function createErasureKey(
  client: SecretsManagerClient,
  historyTable: string,
  kmsKey: string | undefined,
): ErasureKey {
  const name = erasureKeyName(historyTable);

  async function read(): Promise<readonly string[] | undefined> {
    try {
      const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
      return keysIn(SecretString);
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  async function create(): Promise<void> {
    try {
      await client.send(
        new CreateSecretCommand({
          Name: name,
          Description: 'Recognises persons who were erased, so that a join of an older copy leaves them out.',
          SecretString: randomBytes(32).toString('base64url'),
          ...omitUndefined({ KmsKeyId: kmsKey }),
        }),
      );
    } catch (error) {
      // Another erasure was faster.
      if (!(error instanceof ResourceExistsException)) throw error;
    }
  }

  return {
    name,
    read: async () => (await read()) ?? [],
    async ensure() {
      let keys = await read();
      if (keys === undefined) {
        await create();
        keys = await read();
      }
      return keys?.[0];
    },
  };
}
