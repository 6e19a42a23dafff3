import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { CommandFailure } from './errors.ts';
import { type Environment, proxiesIn } from './proxy-address.ts';

/** The agents that connect through a proxy, as the clients of the AWS SDK take them. */
export interface ProxyAgents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/** This machine is never reached through a proxy, also if NO_PROXY does not name it. */
const loopback = ['localhost', '.localhost', '127.0.0.1-127.255.255.255', '::1'];

/**
 * The settings of the AWS SDK's own agents, and the time in milliseconds after which a proxy that does not answer has failed. Without it the
 * connection to the proxy would keep this process running. A request that waits for its answer may take longer.
 */
const agentSettings = { keepAlive: true, maxSockets: 50, timeout: 4_000 };

/**
 * Returns agents that connect as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say; undefined without a proxy.
 *
 * @param node the version of Node.js
 * @throws CommandFailure for an address that cannot be used, and for a version of Node.js that cannot use proxies
 */
export function proxyAgents(
  environment: Environment,
  node: string = process.versions.node,
): ProxyAgents | undefined {
  const proxies = proxiesIn(environment);
  const [first] = proxies;
  const exceptions = exceptionsIn(environment.no_proxy || environment.NO_PROXY || '');
  if (first === undefined || exceptions.includes('*')) return undefined;
  if (!canUseProxies(node))
    throw new CommandFailure(
      `${first.variable} names a proxy, which Node.js ${node} cannot use. Install Node.js 22.21 or 24.5 or newer, or unset ${first.variable} if AWS can be reached without it.`,
    );
  const addresses = proxies.map(({ variable, url }) => {
    // The text may hold a password, so it is not repeated.
    if (url === undefined)
      throw new CommandFailure(
        `${variable} holds no address of an HTTP proxy. Expected for example http://proxy.example.com:8080. Correct or unset ${variable}.`,
      );
    return [variable.toLowerCase(), url.href] as const;
  });
  const proxyEnv = {
    ...Object.fromEntries(addresses),
    no_proxy: [...exceptions, ...loopback].join(','),
  };
  return {
    httpAgent: new HttpAgent({ ...agentSettings, proxyEnv }),
    httpsAgent: new HttpsAgent({ ...agentSettings, proxyEnv }),
  };
}

/** Agents read `proxyEnv` since these versions (https://nodejs.org/api/http.html, "new Agent"). */
function canUseProxies(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/** Returns the hosts of NO_PROXY. A name stands for the names below it too, as for curl and the AWS CLI; Node.js takes it for one host. */
function exceptionsIn(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter((host) => host !== '')
    .flatMap((host) => (/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z-]+$/i.test(host) ? [host, `.${host}`] : host));
}

/**
 * Makes a `fetch` that connects through the proxy of the environment. It is the global one without a proxy, and to this machine.
 * Through a proxy it follows no redirects.
 */
export function createFetch(environment: Environment): typeof fetch {
  let agents: ProxyAgents | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    if (isLoopback(new URL(request.url).hostname)) return fetch(request);
    agents ??= proxyAgents(environment);
    return agents === undefined ? fetch(request) : send(request, agents);
  };
}

function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(host);
}

async function send(request: Request, { httpAgent, httpsAgent }: ProxyAgents): Promise<Response> {
  const { url, method, headers, signal } = request;
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  signal.throwIfAborted();
  const options = { method, headers: Object.fromEntries(headers) };
  const sent = url.startsWith('https:')
    ? requestHttps(url, { ...options, agent: httpsAgent })
    : requestHttp(url, { ...options, agent: httpAgent });
  let response: IncomingMessage | undefined;
  // The reason is that of the caller, a timeout for example, also while the body arrives. Node.js itself would say that the connection was reset.
  signal.addEventListener('abort', () => {
    response?.destroy(signal.reason);
    sent.destroy(signal.reason);
  });
  sent.end(body);
  [response] = await once(sent, 'response');
  return responseOf(response);
}

function responseOf(response: IncomingMessage | undefined): Response {
  if (response === undefined) throw new Error('a response without a message');
  const { statusCode: status = 0, headersDistinct } = response;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = status !== 204 && status !== 304;
  if (!hasBody) response.resume();
  return new Response(hasBody ? Readable.toWeb(response) : null, { status, headers });
}
