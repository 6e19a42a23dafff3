import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { handleAwsJson, type Operations } from '../aws-protocol/aws-json.ts';
import { listen, sendJson } from '../aws-protocol/http.ts';
import { handleSettings } from '../aws-protocol/settings-endpoint.ts';
import type { HttpApi } from './api-gateway/api.ts';
import { STAGE_PATH, updateStage } from './api-gateway/control-endpoint.ts';
import type { LogMetrics } from './cloudwatch-logs/api.ts';
import type { ResponseInbox } from './custom-resources/responses.ts';
import type { EventBridge } from './event-bridge/api.ts';
import { CONTROL_PATH, handleControl } from './event-bridge/control-endpoint.ts';
import { handleInvoke } from './lambda/api.ts';
import { CONCURRENCY_PATH, handleConcurrency, METRICS_PATH, showMetrics } from './lambda/control-endpoint.ts';
import { FUNCTION_FAULTS_PATH, LambdaFaults } from './lambda/faults.ts';
import type { AsyncInvocations, FunctionRegistry } from './lambda/functions.ts';

export interface AwsEndpointParts {
  readonly operations: Operations;
  readonly functions: FunctionRegistry;
  readonly asyncInvocations: AsyncInvocations;
  readonly responses: ResponseInbox;
  /** Whose own control is served, which AWS has not. */
  readonly eventBridge: EventBridge;
  readonly httpApi: HttpApi;
  readonly logMetrics: LogMetrics;
}

const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const RESPONSE_PATH = /^\/custom-resource-responses\/([^/]+)$/;

/** Where is told what metric filters have counted: `{"counts": {"<namespace>/<name>": 3}}`. */
const LOG_METRICS_PATH = '/local/logs/metrics';

/**
 * The port that stands in for what no npm package offers: Secrets Manager, EventBridge, Lambda's Invoke, API Gateway's
 * UpdateStage, and the addresses to which custom resources answer.
 */
export function startAwsEndpoint(port: number, parts: AwsEndpointParts): Promise<Server> {
  return listen(port, (request, response) => {
    route(parts, request, response).catch((error) => {
      sendJson(response, 500, { __type: 'InternalFailure', message: String(error) });
    });
  });
}

async function route(
  parts: AwsEndpointParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/'] = (request.url ?? '/').split('?');
  const invoked = INVOKE_PATH.exec(path)?.[1];
  const answered = RESPONSE_PATH.exec(path)?.[1];
  if (request.method === 'POST' && path === '/') return handleAwsJson(parts.operations, request, response);
  if (request.method === 'POST' && invoked !== undefined) {
    return handleInvoke(parts, decodeURIComponent(invoked), request, response);
  }
  if (request.method === 'PUT' && answered !== undefined)
    return parts.responses.receive(answered, request, response);
  const limited = CONCURRENCY_PATH.exec(path)?.[1];
  if (limited !== undefined) {
    return handleConcurrency(parts.functions, decodeURIComponent(limited), request, response);
  }
  const stageOf = STAGE_PATH.exec(path)?.[1];
  if (stageOf !== undefined) return updateStage(parts.httpApi, stageOf, request, response);
  if (request.method === 'GET' && path === LOG_METRICS_PATH)
    return sendJson(response, 200, { counts: parts.logMetrics.counts });
  if (request.method === 'GET' && path === METRICS_PATH) return showMetrics(parts.functions, response);
  if (path === FUNCTION_FAULTS_PATH) {
    return handleSettings(new LambdaFaults(parts.functions), { functions: {} }, request, response);
  }
  if (path.startsWith(CONTROL_PATH)) return handleControl(parts.eventBridge, path, request, response);
  sendJson(response, 404, {
    __type: 'UnknownOperationException',
    message: 'The operation is not supported on one machine.',
  });
}
