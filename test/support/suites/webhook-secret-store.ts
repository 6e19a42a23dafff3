import { describe, expect, it } from 'vitest';
import type { SecretDocument } from '../../../functions/registration/secret/secret-document.ts';
import type { WebhookSecretStore } from '../../../functions/registration/secret/webhook-secret-store.ts';

const documentWith = (secret: string): SecretDocument => ({
  version: 1,
  current: { secret, since: '2026-01-15T12:00:00.000Z' },
});

/** The compare-and-swap that setup relies on, of the store in memory and of the real one. @param create makes an empty store */
export function describeWebhookSecretStore(
  name: string,
  create: () => WebhookSecretStore | Promise<WebhookSecretStore>,
) {
  describe(`the webhook secret in ${name}`, () => {
    it('is missing until it is stored', async () => {
      const store = await create();
      expect(await store.read()).toBeUndefined();
      const versionId = await store.replace(documentWith('first'), undefined);
      expect(await store.read()).toEqual({ document: documentWith('first'), versionId });
    });

    it('is replaced only by a run that has read the current version', async () => {
      const store = await create();
      const first = await store.replace(documentWith('first'), undefined);
      const second = await store.replace(documentWith('second'), first);
      expect(await store.replace(documentWith('late'), first)).toBeUndefined();
      expect(await store.replace(documentWith('first of all'), undefined)).toBeUndefined();
      expect(await store.read()).toEqual({ document: documentWith('second'), versionId: second });
      const third = await store.replace(documentWith('third'), second);
      expect(await store.read()).toEqual({ document: documentWith('third'), versionId: third });
    });

    it('is replaced by one of many concurrent runs', async () => {
      const store = await create();
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (let round = 0; round < 2; round++) {
        const replacing = (await store.read())?.versionId;
        const versions = await Promise.all(names.map((each) => store.replace(documentWith(each), replacing)));
        const winners = names.filter((_, index) => versions[index] !== undefined);
        expect(winners).toHaveLength(1);
        expect((await store.read())?.document.current.secret).toBe(winners[0]);
      }
    });
  });
}
