import { timingSafeEqual } from 'node:crypto';

/** What a request says about where it comes from. */
export interface Arrival {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** Browsers say in `Sec-Fetch-Site` which page made a request; no page can change it. */
  readonly site: string | undefined;
}

/**
 * Returns whether a request is a person's click on a link of any page, such as one in a chat. It may get the page, which holds no data: the
 * cookie is not sent with it, and only the page's own requests are answered from the pipeline.
 */
export function isLink(
  { method, host, mode, destination }: Pick<Arrival, 'method' | 'host'> & LinkMarks,
  port: number,
): boolean {
  return method === 'GET' && isOwnHost(host, port) && mode === 'navigate' && destination === 'document';
}

/** What browsers say about a request in `Sec-Fetch-Mode` and `Sec-Fetch-Dest`. No page can change it. */
interface LinkMarks {
  readonly mode: string | undefined;
  /** `document` for a whole tab; a frame has another one. */
  readonly destination: string | undefined;
}

const isOwnHost = (host: string | undefined, port: number) =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`;

/**
 * Returns whether a request comes from the console's own page, or was typed by a person.
 *
 * Any page of the browser can send requests to this machine. A name of the attacker that resolves to 127.0.0.1 makes its page and this
 * server one origin (DNS rebinding), so the Host header has to be this server's own.
 */
export function isOwnRequest({ method, host, origin, site }: Arrival, port: number): boolean {
  if (!isOwnHost(host, port)) return false;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  // Only the page itself changes something, and browsers send the origin with it.
  if (method !== 'GET' && method !== 'HEAD') return origin !== undefined;
  return site === undefined || site === 'same-origin' || site === 'none';
}

export interface AdmissionOptions {
  /** The secret of the address that the command prints. */
  readonly token: string;
  /** The value of the cookie that the token is exchanged for. */
  readonly session: string;
  /** Names the cookie: a browser sends the cookies of one port to all ports. */
  readonly port: number;
  /** Whether the token may be exchanged again. */
  readonly isReusable: boolean;
}

/** Lets the browser in that has the printed address. */
export interface Admission {
  /** Returns the cookie for a token; undefined for a token that is wrong, or was exchanged already. */
  exchange(token: string): string | undefined;
  isAdmitted(cookies: string | undefined): boolean;
}

export function createAdmission({ token, session, port, isReusable }: AdmissionOptions): Admission {
  const name = `sms-console-${port}`;
  let isOpen = true;
  return {
    exchange(given) {
      if (!isOpen || !isEqual(given, token)) return undefined;
      isOpen = isReusable;
      return `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`;
    },
    isAdmitted: (cookies = '') =>
      cookies
        .split('; ')
        .some((cookie) => cookie.startsWith(`${name}=`) && isEqual(cookie, `${name}=${session}`)),
  };
}

/** Compares in a time that does not depend on the texts. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
