import type { SecretDocument } from '../../../functions/registration/secret/secret-document.ts';
import type { WebhookSecretStore } from '../../../functions/registration/secret/webhook-secret-store.ts';

/** A store in memory: every document is a version, and only the version that was read can be replaced. */
export function createMemoryStore(document?: SecretDocument) {
  let version = document === undefined ? 0 : 1;
  let swaps = 0;
  const versionId = () => (version === 0 ? undefined : `version-${version}`);
  const store = {
    document,
    /** What was stored through `replace`, in order. */
    stored: [] as SecretDocument[],
    /** Called before each swap with its number, the first being 1: what it puts makes the swap lose. */
    beforeSwap: async (_number: number): Promise<void> => undefined,
    /** Stores a document as another run would. */
    put(next: SecretDocument) {
      store.document = next;
      version++;
    },
    read: async () => {
      const id = versionId();
      return store.document === undefined || id === undefined
        ? undefined
        : { document: store.document, versionId: id };
    },
    replace: async (next: SecretDocument, replacing: string | undefined) => {
      swaps++;
      await store.beforeSwap(swaps);
      if (replacing !== versionId()) return undefined;
      store.put(next);
      store.stored.push(next);
      return versionId();
    },
  };
  return store satisfies WebhookSecretStore;
}
