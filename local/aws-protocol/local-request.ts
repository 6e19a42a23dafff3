import type { IncomingHttpHeaders } from 'node:http';

const loopback = '(?:127\\.0\\.0\\.1|localhost|\\[::1\\])(?::\\d+)?';
const loopbackHost = new RegExp(`^${loopback}$`, 'i');
const loopbackOrigin = new RegExp(`^https?://${loopback}$`, 'i');

/**
 * Returns whether a request was made by a program or a page of this machine.
 *
 * Any page of a browser can send requests to this machine. Browsers name the page's origin in `Origin`, or say in
 * `Sec-Fetch-Site` that it is another site. A name of the attacker that resolves to
 * 127.0.0.1 makes the page and a port of this machine one origin (DNS rebinding), and then `Host` has the attacker's name.
 */
export function isFromThisMachine({ host = '', origin, ...headers }: IncomingHttpHeaders): boolean {
  const isOfOtherSite = headers['sec-fetch-site'] === 'cross-site';
  return loopbackHost.test(host) && !isOfOtherSite && (origin === undefined || loopbackOrigin.test(origin));
}

/** Explains an answer 403 to another request. */
export const foreignRequest =
  'A local run answers only requests whose header Host is 127.0.0.1 or localhost, and that no page of another site makes. If a tunnel brings requests to the webhook, let it set Host to the local address.';

/** The headers by which proxies and tunnels show that they bring a request of another machine. */
const forwardingHeader = /^(?:forwarded$|via$|x-real-ip$|x-forwarded-|cf-|ngrok-|tailscale-)/;

/** Returns whether a tunnel brought a request here, which shows itself. A raw tunnel of TCP does not. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => forwardingHeader.test(name));
}

/** Explains an answer 403 to a request that a tunnel brought. */
export const forwardedRequest =
  'A local run answers the query API only to programs of this machine, because it checks no signature. A tunnel can bring requests to the webhook.';
