import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** The result of one post: the status of the answer, or the reason why there was none. */
export type PostResult = number | 'timeout' | 'network';

/** Posts over connections that are kept open. */
export interface Poster {
  /** Sends one request. A GET carries its parameters in the URL and no body. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    method?: 'POST' | 'GET',
  ): Promise<PostResult>;
  /** Aborts the posts in flight and closes the connections. */
  close(): void;
}

const timeoutMs = 30_000;

export function createPoster(): Poster {
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgent = new HttpsAgent({ keepAlive: true });

  return {
    post: (url, headers, unsent, method = 'POST') =>
      new Promise((resolve) => {
        const body = method === 'GET' ? Buffer.of() : unsent;
        const options = {
          method,
          headers: { ...headers, 'content-length': body.length },
          timeout: timeoutMs,
        };
        const request = url.startsWith('https:')
          ? httpsRequest(url, { ...options, agent: httpsAgent })
          : httpRequest(url, { ...options, agent: httpAgent });
        request.on('response', (response) => {
          // The connection is free for the next post only after the end of the answer.
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 'network'));
          response.on('error', () => resolve('network'));
        });
        request.on('timeout', () => {
          resolve('timeout');
          request.destroy();
        });
        request.on('error', () => resolve('network'));
        request.end(body);
      }),
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}
