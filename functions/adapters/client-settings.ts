import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { closeStaleConnections } from './idle-connections.ts';

/** The SDK's own limit of connections to a service. */
const maxSockets = 50;

/**
 * How long a connection to an AWS service is kept idle. NAT gateways and interface endpoints forget one after 350 seconds; when the services
 * themselves close one, AWS does not document.
 */
const maxIdleMs = 10_000;

const options = { keepAlive: true, maxSockets };

/**
 * What every AWS client of the functions is made with: a call that hangs fails after two seconds and is tried once more,
 * so that a caller who waits hears from us while the request is still alive. Connections that died while Lambda had frozen the function
 * are not used, so that they do not cost one of the two attempts.
 */
export const clientSettings = {
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: 2000,
    throwOnRequestTimeout: true,
    httpAgent: closeStaleConnections(new HttpAgent(options), maxIdleMs, Date.now),
    httpsAgent: closeStaleConnections(new HttpsAgent(options), maxIdleMs, Date.now),
  },
};
