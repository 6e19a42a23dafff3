import { describe, expect, it } from 'vitest';
import type { Registration } from '../../../functions/registration/registration.ts';

/** A service whose webhook was never configured. */
export interface WebhookService {
  readonly client: Registration;
  changeElsewhere(change: { readonly url?: string; readonly rotate?: boolean }): unknown;
  rotations(): unknown;
}

const url = 'https://pipeline.example/webhooks/sms';

/** What setup relies on, of the service in memory and of the real client with the sandbox. */
export function describeWebhookService(name: string, start: () => WebhookService | Promise<WebhookService>) {
  describe(`the webhook of ${name}`, () => {
    const secretOf = async ({ client }: WebhookService) => {
      const webhook = await client.read();
      return webhook.kind === 'ok' ? webhook.value.secret : undefined;
    };

    it('has no URL and no secret until it is set, and then has a secret', async () => {
      const service = await start();
      expect(await service.client.read()).toEqual({ kind: 'ok', value: { url: '', secret: '' } });
      const set = await service.client.set(url);
      expect(set).toEqual({ kind: 'ok', value: { url, secret: expect.stringMatching(/^whsec_.+/) } });
      expect(await service.client.read()).toEqual(set);
      expect(await service.rotations()).toBe(0);
    });

    it('keeps its secret until it is rotated', async () => {
      const service = await start();
      const { client } = service;
      const first = await client.set(url);
      expect(await client.set(url)).toEqual(first);
      const secret = await secretOf(service);
      expect(await client.deactivate()).toEqual({ kind: 'ok', value: { url: '', secret } });
      expect(await client.set(url)).toEqual(first);
      const rotated = await client.rotate(url);
      expect(rotated).toMatchObject({ kind: 'ok', value: { url } });
      expect(rotated).not.toEqual(first);
      expect(await service.rotations()).toBe(1);
    });

    it('shows changes made elsewhere', async () => {
      const service = await start();
      await service.client.set(url);
      const secret = await secretOf(service);
      const elsewhere = 'https://other.example/hook';
      await service.changeElsewhere({ url: elsewhere });
      expect(await service.client.read()).toEqual({ kind: 'ok', value: { url: elsewhere, secret } });
      await service.changeElsewhere({ rotate: true });
      expect(await service.client.read()).toMatchObject({ value: { url: elsewhere } });
      expect(await secretOf(service)).not.toBe(secret);
    });

    it('is not changed by a URL that the service rejects', async () => {
      const { client } = await start();
      const before = await client.set(url);
      expect(await client.rotate('ftp://x')).toMatchObject({
        kind: 'error',
        error: {
          kind: 'validation',
          operation: 'set webhook',
          status: 422,
          body: expect.stringContaining('"path":"url"'),
        },
      });
      expect(await client.read()).toEqual(before);
    });
  });
}
