import type { IncomingMessage } from 'node:http';
import { inMemoryClient } from './in-memory-http.ts';

type Input = Record<string, unknown>;

/** Answers one call. @param call `Service.Operation` */
export type Step = (input: Input, call: string) => { readonly status: number; readonly body: unknown };

/** Answers with an output. */
export const answers =
  (body: unknown = {}): Step =>
  () => ({ status: 200, body });

/** Answers with an error of this name. */
export const fails =
  (type: string, status = 400): Step =>
  () => ({ status, body: { __type: type, message: 'about the request of +12025550143' } });

/**
 * The settings of an AWS client whose calls are answered by these steps, without a connection. The last step answers every further call.
 * `calls` shows what was called.
 */
export function scriptedAws(...steps: readonly Step[]) {
  const calls: { readonly call: string; readonly input: Input }[] = [];
  const settings = inMemoryClient(async (request, response) => {
    const call = String(request.headers['x-amz-target']);
    const input: Input = JSON.parse(await textOf(request));
    const step = steps[Math.min(calls.length, steps.length - 1)] ?? answers();
    calls.push({ call, input });
    const { status, body } = step(input, call);
    response.writeHead(status);
    response.end(JSON.stringify(body));
  });
  return { settings, calls, inputs: () => calls.map(({ input }) => input) };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
