import type { RequestListener } from 'node:http';
import { closeServer, listen } from '../../local/aws-protocol/http.ts';
import { Faults } from '../../local/gateway/faults.ts';
import { startGatewayServer } from '../../local/gateway/gateway-server.ts';
import { Access } from '../../local/iam/access.ts';
import type { Caller } from '../../local/iam/caller.ts';
import { policyEntries } from '../../local/iam/policy.ts';
import { freePorts } from '../../tools/support/free-port.ts';

/** Access that shows nothing at the terminal. */
export function silentAccess(onFirstDenial: (denial: string) => void = () => {}): Access {
  return new Access(
    () => {},
    (_, denial) => onFirstDenial(denial),
  );
}

/** A policy that allows an action on a resource. */
export function allow(Action: string | readonly string[], Resource: string) {
  return policyEntries({ Version: '2012-10-17', Statement: { Effect: 'Allow', Action, Resource } }, () => {});
}

/** A function's identity: its access key is its label with a capital. */
export function callerOf(label: string, policy: Caller['policy'] = []): Caller {
  const accessKeyId = label.charAt(0).toUpperCase() + label.slice(1);
  const principalArn = `arn:aws:sts::000000000000:assumed-role/Role/${accessKeyId}`;
  return { accessKeyId, label, principalArn, policy, unusedBecause: {} };
}

/** Settings of a client without retries. */
const clientSettings = (endpoint: string, accessKeyId: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey: 'any' },
  maxAttempts: 1,
});

/**
 * Starts a gateway before one service, which it offers as an AWS service and as the SMS service.
 * @param callers the functions that call it
 */
export async function startGateway(service: RequestListener, ...callers: readonly Caller[]) {
  const first = await freePorts(3);
  const server = await listen(first, service);
  const access = silentAccess();
  for (const caller of callers) access.set(caller);
  const gateway = await startGatewayServer(
    [
      { publicPort: first + 1, servicePort: first, isSmsService: false },
      { publicPort: first + 2, servicePort: first, isSmsService: true },
    ],
    { access, secretArnOf: async (id) => id, faults: new Faults() },
  );
  const awsUrl = `http://127.0.0.1:${first + 1}`;
  return {
    awsUrl,
    smsServiceUrl: `http://127.0.0.1:${first + 2}`,
    /** Settings for a client of a function, or of anyone else. */
    clientOf: (accessKeyId: string) => clientSettings(awsUrl, accessKeyId),
    /** Calls an address below /local/; answers its JSON. */
    async control(method: string, path: string, body?: object): Promise<unknown> {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${awsUrl}/local/${path}`, { method, ...text })).json();
    },
    /** Ends the service alone. */
    stopService: () => closeServer(server),
    async stop() {
      await gateway.close();
      if (server.listening) await closeServer(server);
    },
  };
}
