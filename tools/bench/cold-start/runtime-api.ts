import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { readBody, sendJson } from '../../../local/aws-protocol/http.ts';
import { serve } from '../https-server.ts';

/** The answer of a runtime. */
interface Answer {
  /** From the event's last byte out to the answer's last byte in. */
  readonly ms: number;
  /** JSON. */
  readonly body: string;
}

/** The Lambda Runtime API (Lambda developer guide, "Using the Lambda runtime API") for one process. */
export interface RuntimeApi {
  /** Host and port, for `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string;
  /** Resolves when the process asks for its next event, with the time of that as `performance.now()` has it. */
  polled(): Promise<number>;
  /**
   * Gives the process an event, once it asks for one.
   *
   * @param event JSON
   * @throws what the process reported instead of an answer
   */
  invoke(event: string): Promise<Answer>;
  stop(): Promise<void>;
}

const base = '/2018-06-01/runtime';
const largestAnswer = 6 * 2 ** 20;

export async function startRuntimeApi(): Promise<RuntimeApi> {
  let poll = Promise.withResolvers<{ readonly at: number; readonly response: ServerResponse }>();
  let answer = Promise.withResolvers<Answer>();
  let givenAt = 0;

  const { address, stop } = await serve(async (request, response) => {
    const at = performance.now();
    const path = request.url ?? '';
    if (path === `${base}/invocation/next`) {
      poll.resolve({ at, response });
      return;
    }
    const body = (await readBody(request, largestAnswer))?.toString() ?? '';
    const ms = performance.now() - givenAt;
    sendJson(response, 202, { status: 'OK' });
    if (path.startsWith(`${base}/invocation/`) && path.endsWith('/response')) answer.resolve({ ms, body });
    else {
      const failure = new Error(`the runtime reported to ${path}: ${body}`);
      poll.reject(failure);
      answer.reject(failure);
    }
  });
  // A caller that awaits neither must not get an unhandled rejection.
  poll.promise.catch(() => {});
  answer.promise.catch(() => {});

  return {
    address,
    polled: async () => (await poll.promise).at,
    invoke: async (event) => {
      const { response } = await poll.promise;
      poll = Promise.withResolvers();
      answer = Promise.withResolvers();
      poll.promise.catch(() => {});
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(event),
        'lambda-runtime-aws-request-id': randomUUID(),
        'lambda-runtime-deadline-ms': Date.now() + 20_000,
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:bench',
        'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
      });
      givenAt = performance.now();
      response.end(event);
      return answer.promise;
    },
    stop,
  };
}
