import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { AwsRoute } from '../../aws-protocol/aws-endpoint.ts';
import { arnOf } from '../../aws-protocol/call.ts';
import { loopbackUrl, parseJson, readBody, sendJson } from '../../aws-protocol/http.ts';
import type { CreateResource, ResourceRequest } from '../../cloudformation/deploy-stack.ts';
import { NotOnOneMachine, readProperties, wholeNumber } from '../../cloudformation/template.ts';
import type { Outcome } from '../../function-hosts/protocol.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import type { FunctionRegistry } from '../lambda/functions.ts';

/** CloudFormation's limit for a custom resource's response. */
const MAX_RESPONSE_BYTES = 4096;

const responseSchema = z.looseObject({
  Status: z.enum(['SUCCESS', 'FAILED']),
  Reason: z.string().optional(),
  PhysicalResourceId: z.string().optional(),
  Data: z.record(z.string(), z.unknown()).optional(),
});

/** The answer of a custom resource's function. */
export type CustomResourceResponse = z.infer<typeof responseSchema>;

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
    const parsed = responseSchema.safeParse(parseJson(body));
    if (!resolve) return sendJson(response, 403, { message: 'This address has expired.' });
    if (!parsed.success)
      return sendJson(response, 400, { message: `Not a response: ${parsed.error.message}` });
    this.#waiting.delete(id);
    sendJson(response, 200, {});
    resolve(parsed.data);
  }
}

export function startCustomResources(run: ServiceRun, functions: FunctionRegistry) {
  const responses = new ResponseInbox(loopbackUrl(run.ports.aws));
  return {
    routes: responses.routes,
    resources: { 'AWS::CloudFormation::CustomResource': customResourceCreator(functions, responses) },
  } satisfies RunningService;
}

/** CloudFormation's own limit, for templates without one. */
const DEFAULT_TIMEOUT_SECONDS = 3600;

const schema = z.looseObject({
  ServiceToken: z.string(),
  ServiceTimeout: wholeNumber.default(DEFAULT_TIMEOUT_SECONDS),
});

/** A custom resource's function reported a failure or did not answer; the message is the reason. */
export class CustomResourceError extends Error {
  override readonly name = 'CustomResourceError';
}

/** A custom resource is created by its function's answer to a `Create` event. */
export function customResourceCreator(functions: FunctionRegistry, responses: ResponseInbox): CreateResource {
  return async (request) => {
    const { ServiceToken, ServiceTimeout } = readProperties(schema, request);
    if (!ServiceToken.includes(':lambda:')) {
      throw new NotOnOneMachine(
        `a ServiceToken other than a function's ARN is not supported: ${ServiceToken}`,
      );
    }
    const { url, response } = responses.open();
    const answer = await firstAnswer(
      response,
      functions.inTemplate(ServiceToken).pool.invoke(createEvent(request, url)),
      ServiceTimeout,
    );
    if (answer.Status === 'FAILED') throw new CustomResourceError(answer.Reason ?? 'no reason given');
    return { ref: answer.PhysicalResourceId ?? request.logicalId, attributes: answer.Data ?? {} };
  };
}

function createEvent(request: ResourceRequest, responseUrl: string): object {
  const { stack, logicalId, type, properties } = request;
  return {
    RequestType: 'Create',
    ServiceToken: properties.ServiceToken,
    ResponseURL: responseUrl,
    StackId: arnOf('cloudformation', `stack/${stack.name}/${randomUUID()}`),
    RequestId: randomUUID(),
    ResourceType: type,
    LogicalResourceId: logicalId,
    ResourceProperties: asText(properties),
  };
}

/** Resolves with the function's answer. Rejects if the function fails or does not answer in time. */
async function firstAnswer(
  response: Promise<CustomResourceResponse>,
  invocation: Promise<Outcome>,
  timeoutSeconds: number,
): Promise<CustomResourceResponse> {
  const failed = invocation.then((outcome) => {
    // A function that returned may still answer by other means; only an error ends the wait.
    return outcome.kind === 'ok'
      ? response
      : Promise.reject(new CustomResourceError(outcome.error.errorMessage));
  });
  const aborter = new AbortController();
  const timeout = delay(timeoutSeconds * 1000, undefined, { signal: aborter.signal }).then(() =>
    Promise.reject(new CustomResourceError(`no answer within ${timeoutSeconds} s`)),
  );
  timeout.catch(() => {});
  failed.catch(() => {});
  try {
    return await Promise.race([response, failed, timeout]);
  } finally {
    aborter.abort();
  }
}

/** CloudFormation turns all numbers and booleans of the properties into text. */
function asText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asText(item)]));
}
