import { describe, expect, it } from 'vitest';
import { WebhookSecretError } from '../../../../../functions/registration/secret/secret-document.ts';
import { handle } from '../../../../../functions/registration/setup/handle.ts';
import { encodeSignal } from '../../../../../functions/registration/setup/mismatch-signal.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import { documentWith, reportOf, startScriptedSetup } from './doubles/setup-under-test.ts';

const secret = 'whsec_MA==';

/** A setup function whose registration is off; it has no API key, and a service that answers nothing. */
async function setupByHand(stored = true) {
  const setup = startScriptedSetup({}, stored ? documentWith(secret) : undefined);
  const readApiKey = () => Promise.reject(new Error('not expected to be read'));
  return { ...setup, ports: { ...setup.ports, registration: 'off' as const, readApiKey } };
}

describe('without registration', () => {
  it('status reports the stored facts without asking the service', async () => {
    const { ports, state, server } = await setupByHand();
    state.known = { lastVerifiedAt: '2026-01-15T11:59:00.000Z' };
    expect(await handle({ action: 'status' }, ports)).toEqual(
      reportOf({
        registeredUrl: '',
        state: 'by-hand',
        desiredState: null,
        secret: { matchesService: null, since: '2026-01-01T00:00:00.000Z' },
        lastReconcile: null,
        lastVerifiedAt: '2026-01-15T11:59:00.000Z',
      }),
    );
    expect(server.requests).toEqual([]);
  });

  it('status says why the secret cannot be read', async () => {
    const { ports, logged } = await setupByHand();
    const store = { ...ports.store, read: () => Promise.reject(new WebhookSecretError('no access')) };
    expect(await handle({ action: 'status' }, { ...ports, store })).toEqual({
      error: { kind: 'secret-store', message: 'no access' },
    });
    expect(logged()).toEqual(['SETUP_FAILED']);
  });

  it.each(['register', 'rotate', 'deactivate', 'reconcile'])(
    '%s says what to do instead, and changes nothing',
    async (action) => {
      const { ports, server, store, state, log } = await setupByHand();
      expect(await handle({ action }, ports)).toEqual({
        error: {
          kind: 'registration-off',
          message: expect.stringMatching(
            /^Registration is off .+https:\/\/pipeline\.example\/webhooks\/sms.+"webhook store-secret"\.$/,
          ),
        },
      });
      expect([server.requests, store.stored, state.known]).toEqual([[], [], {}]);
      expect([...log.counts]).toEqual([]);
    },
  );

  it('a burst of mismatches is counted, and the service is not asked', async () => {
    const { ports, server, state, logged } = await setupByHand();
    const body = encodeSignal({ mismatches: 5, isBurst: true, isRotating: false });
    const event = { Records: [{ eventSource: 'aws:sqs', body }] };
    expect(await handle(event, ports)).toBeUndefined();
    expect([state.mismatches, server.requests, logged()]).toEqual([5, [], ['MISMATCHES_REPORTED']]);
  });

  it('a custom resource that was left behind can be deleted', async () => {
    const { ports } = await setupByHand();
    const cloudFormation = startScriptedSetup({ 'PUT /answer': [answer(200)] });
    const event = {
      RequestType: 'Delete',
      ResponseURL: `${cloudFormation.server.url}/answer`,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Registration',
      PhysicalResourceId: 'sms-webhook',
    };
    await handle(event, { ...ports, fetch: cloudFormation.ports.fetch });
    expect(JSON.parse(cloudFormation.server.requests[0]?.body ?? '')).toMatchObject({ Status: 'SUCCESS' });
  });
});
