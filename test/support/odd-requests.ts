import { connect } from 'node:net';

/** A request as bytes, which a client library would refuse to send. */
interface OddRequest {
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether the sender hangs up before its request is complete. */
  readonly hangsUp: boolean;
}

const targets = [
  '//',
  '///',
  '/\\',
  '//[',
  '//a:99999/',
  'http://',
  'http://[/',
  'http://127.0.0.1/messages',
  'http://attacker.example/',
  '*',
  '?',
  '/%',
  '/%zz/%',
  '/v1/messages/%',
  '/v1/quarantine/%E0/replay',
  '/2015-03-31/functions/%/invocations',
  '/%00',
  '/..%2f..%2f..%2fetc/passwd',
  '/\x80',
  '/message?id=%',
  '/?token=%',
  `/${'a'.repeat(15_000)}`,
  `/${'/'.repeat(8_000)}`,
];

/**
 * Returns requests that are unusual or wrong.
 *
 * @param host of the server, as a browser names it
 * @param authorization of a caller whom the server admits, to reach what is behind the sign-in
 */
function oddRequests(host: string, authorization = ''): readonly OddRequest[] {
  const known = `Host: ${host}\r\nConnection: close\r\n${authorization}`;
  const whole = (name: string, text: string) => ({
    name,
    bytes: Buffer.from(text, 'latin1'),
    hangsUp: false,
  });
  const cut = (name: string, text: string) => ({ ...whole(name, text), hangsUp: true });
  const post = (headers: string) => `POST / HTTP/1.1\r\n${known}${headers}\r\n`;
  return [
    ...targets.flatMap((target) =>
      ['GET', 'HEAD', 'POST'].map((method) =>
        whole(
          `${method} ${target.slice(0, 40)}`,
          `${method} ${target} HTTP/1.1\r\n${known}Content-Length: 0\r\n\r\n`,
        ),
      ),
    ),
    whole('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${known}\r\n`),
    whole('CONNECT', `CONNECT attacker.example:443 HTTP/1.1\r\n${known}\r\n`),
    whole('TRACE', `TRACE / HTTP/1.1\r\n${known}\r\n`),
    whole('an unknown method', `QUERY / HTTP/1.1\r\n${known}\r\n`),
    whole(
      'an upgrade',
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    ),
    whole('no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'),
    whole('an empty host', 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'),
    whole('two hosts', `GET / HTTP/1.1\r\n${known}Host: attacker.example\r\n\r\n`),
    whole('a host that is none', 'GET / HTTP/1.1\r\nHost: //[%\r\nConnection: close\r\n\r\n'),
    whole('an origin that is none', `GET / HTTP/1.1\r\n${known}Origin: //[%\r\n\r\n`),
    whole('HTTP/1.0', 'GET // HTTP/1.0\r\n\r\n'),
    whole('HTTP/9.9', `GET / HTTP/9.9\r\n${known}\r\n`),
    whole('no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
    whole('a large header', `GET / HTTP/1.1\r\n${known}X-Large: ${'a'.repeat(100_000)}\r\n\r\n`),
    whole('many headers', `GET / HTTP/1.1\r\n${known}${'X-A: 1\r\n'.repeat(2_500)}\r\n`),
    whole('two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n')),
    whole('a length and chunks', `${post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`),
    whole('a chunk without a length', `${post('Transfer-Encoding: chunked\r\n')}ZZ\r\nabc\r\n`),
    whole('a chunk that is too long', `${post('Transfer-Encoding: chunked\r\n')}1\r\nabcdef\r\n0\r\n\r\n`),
    whole('an unknown coding', `${post('Transfer-Encoding: gzip\r\n')}abc`),
    whole('no target of AWS', `${post('X-Amz-Target: .\r\nContent-Length: 1\r\n')}{`),
    whole('a body that is no JSON', `${post('Content-Type: application/json\r\nContent-Length: 1\r\n')}{`),
    cut('a cut request line', 'GET /mess'),
    cut('cut headers', `GET / HTTP/1.1\r\nHost: ${host}\r\nX-A`),
    cut('a cut chunk', `${post('Transfer-Encoding: chunked\r\n')}ff\r\nabc`),
    cut('a cut body', `${post('Content-Length: 100\r\n')}abc`),
    cut('an answer that is not awaited', `GET / HTTP/1.1\r\n${known}\r\n`),
  ];
}

const deadlineMs = 15_000;

/** Sends bytes to a port of this machine. Resolves with what was answered until the connection ended. */
export function sendBytes(port: number, bytes: Buffer, hangsUp = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const answer: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => (hangsUp ? socket.end(bytes) : socket.write(bytes)));
    socket.setTimeout(deadlineMs, () => socket.destroy(new Error(`no answer from port ${port}`)));
    socket.on('data', (chunk) => answer.push(chunk));
    // A server may reset the connection of a request that it does not read to its end.
    socket.on('error', (error) =>
      'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        ? socket.destroy()
        : reject(error),
    );
    socket.on('close', () => resolve(Buffer.concat(answer).toString('latin1')));
  });
}

/** Stack traces, and paths of source files. */
const insides = /^\s*at \S|node:internal|file:\/\/|\.ts:\d|node_modules/m;

/**
 * Sends odd requests to a server, one after the other.
 *
 * @param headers of a caller whom the server admits, each with its line break
 * @returns the requests that the server answered as a failure of its own, or with its insides; none if all is well
 */
export async function failuresOfOddRequests(port: number, headers = ''): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const { name, bytes, hangsUp } of oddRequests(`127.0.0.1:${port}`, headers)) {
    const answer = await sendBytes(port, bytes, hangsUp);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
    // 501 and 505 say that a method or a version is not known.
    if ((status >= 500 && status !== 501 && status !== 505) || insides.test(answer))
      failures.push(`${name}: ${answer.slice(0, 500)}`);
  }
  return failures;
}
