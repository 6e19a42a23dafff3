import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { parseJson, readBody, sendJson } from '../../aws-protocol/http.ts';
import type { StageThrottles, Throttle } from './throttles.ts';

/** The path of API Gateway's UpdateStage for the one API and its one stage. */
export const STAGE_PATH = /^\/v2\/apis\/([^/]+)\/stages\/(?:%24|\$)default$/;

const MAX_BODY_BYTES = 64 * 1024;

const throttle = z
  .strictObject({ throttlingRateLimit: z.number().min(0), throttlingBurstLimit: z.int().min(0) })
  .transform(({ throttlingRateLimit, throttlingBurstLimit }) => ({
    ratePerSecond: throttlingRateLimit,
    burst: throttlingBurstLimit,
  }));

const update = z.strictObject({
  defaultRouteSettings: throttle.optional(),
  routeSettings: z.record(z.string(), throttle).optional(),
});

/** The parts of an HTTP API that can be changed during a run. */
interface ChangeableApi {
  readonly apiId: string;
  readonly throttles: { readonly state: StageThrottles; replace(throttles: StageThrottles): void };
}

/** Handles API Gateway's UpdateStage, as far as it changes throttles: those of every route, of some routes, or both. */
export async function updateStage(
  { apiId, throttles }: ChangeableApi,
  apiIdInPath: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'PATCH' || apiIdInPath !== apiId)
    return sendJson(response, 404, { message: 'Only UpdateStage of this API is supported on one machine.' });
  const { data } = update.safeParse(parseJson(await readBody(request, MAX_BODY_BYTES)));
  if (data === undefined)
    return sendJson(response, 400, { message: 'Only throttles can be changed on one machine.' });
  const { everyRoute, routes } = throttles.state;
  throttles.replace({
    everyRoute: data.defaultRouteSettings ?? everyRoute,
    routes: { ...routes, ...data.routeSettings },
  });
  const { state } = throttles;
  sendJson(response, 200, {
    stageName: '$default',
    ...(state.everyRoute !== undefined && { defaultRouteSettings: settingsOf(state.everyRoute) }),
    routeSettings: Object.fromEntries(
      Object.entries(state.routes).map(([key, own]) => [key, settingsOf(own)]),
    ),
  });
}

function settingsOf({ ratePerSecond, burst }: Throttle) {
  return { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst };
}
