import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { AwsRoute } from '../../aws-protocol/aws-endpoint.ts';
import { parseJson, readBody, sendJson } from '../../aws-protocol/http.ts';

/** CloudFormation's limit for a custom resource's response. */
const MAX_RESPONSE_BYTES = 4096;

const schema = z.looseObject({
  Status: z.enum(['SUCCESS', 'FAILED']),
  Reason: z.string().optional(),
  PhysicalResourceId: z.string().optional(),
  Data: z.record(z.string(), z.unknown()).optional(),
});

/** The answer of a custom resource's function. */
export type CustomResourceResponse = z.infer<typeof schema>;

/** Stands in for the presigned S3 URLs to which custom resources answer. */
export class ResponseInbox {
  readonly #baseUrl: string;
  readonly #waiting = new Map<string, (response: CustomResourceResponse) => void>();

  /** @param baseUrl where {@link routes} are served */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Opens an address for one answer. */
  open(): { url: string; response: Promise<CustomResourceResponse> } {
    const id = randomUUID();
    const response = new Promise<CustomResourceResponse>((resolve) => this.#waiting.set(id, resolve));
    return { url: `${this.#baseUrl}/custom-resource-responses/${id}`, response };
  }

  /** The addresses that {@link open} gives. */
  readonly routes: readonly AwsRoute[] = [
    {
      method: 'PUT',
      path: /^\/custom-resource-responses\/([^/]+)$/,
      answer: (id, request, response) => this.#receive(id, request, response),
    },
  ];

  async #receive(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, MAX_RESPONSE_BYTES);
    const resolve = this.#waiting.get(id);
    const parsed = schema.safeParse(parseJson(body));
    if (!resolve) return sendJson(response, 403, { message: 'This address has expired.' });
    if (!parsed.success)
      return sendJson(response, 400, { message: `Not a response: ${parsed.error.message}` });
    this.#waiting.delete(id);
    sendJson(response, 200, {});
    resolve(parsed.data);
  }
}
