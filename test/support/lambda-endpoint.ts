import { EventBridge } from '../../local/event-bridge/event-bridge.ts';
import { HttpApi } from '../../local/http-api/server.ts';
import { AsyncInvocations } from '../../local/lambda/async-invocations.ts';
import type { HostPool } from '../../local/lambda/pool.ts';
import { FunctionRegistry } from '../../local/lambda/registry.ts';
import { LogMetrics } from '../../local/logs/log-metrics.ts';
import { startAwsEndpoint } from '../../local/services/aws-endpoint.ts';
import { ResponseInbox } from '../../local/services/custom-resource-responses.ts';
import { closeServer } from '../../local/services/http.ts';
import { freePorts } from './free-port.ts';
import { hostFunction } from './local-function.ts';
import { fakeRetryClock } from './retry-clock.ts';

/** The Lambda endpoint of a local run, with one function behind it. */
export interface LambdaEndpoint {
  readonly pool: HostPool;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts it on a free port.
 * @param code CommonJS that sets `exports.handler`
 * @param limit processes of the function at most
 */
export async function startLambdaEndpoint(code: string, limit = 2): Promise<LambdaEndpoint> {
  const { pool, definition } = hostFunction(code, { limit });
  const functions = new FunctionRegistry();
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:${definition.name}`;
  functions.add({ definition, arn, pool });
  const port = await freePorts();
  const url = `http://127.0.0.1:${port}`;
  const clock = fakeRetryClock();
  const note = () => {};
  const server = await startAwsEndpoint(port, {
    operations: new Map(),
    functions,
    asyncInvocations: new AsyncInvocations(clock, note),
    responses: new ResponseInbox(url),
    eventBridge: new EventBridge({ clock, random: () => 0, note }),
    httpApi: new HttpApi('local', Date.now),
    logMetrics: new LogMetrics(),
  });
  const stop = async () => {
    await closeServer(server);
    await pool.stop();
  };
  return { pool, url, stop };
}
