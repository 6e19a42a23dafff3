/**
 * This process is one execution environment of a function. It loads the handler from the bundle in LAMBDA_TASK_ROOT and runs one event at a
 * time. It exchanges the messages of protocol.ts with the process that started it, and ends with that process.
 */
import { existsSync } from 'node:fs';
import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { hideCompileCache } from '../processes/compile-cache.ts';
import { monotonicMs, shiftedDate } from './clock.ts';
import type { ClockMessage, FunctionError, HostMessage, InvokeMessage } from './protocol.ts';

type Handler = (event: unknown, context: object) => unknown;

const { values: options } = parseArgs({
  options: {
    app: { type: 'string' },
    run: { type: 'string' },
    'clock-offset-ms': { type: 'string', default: '0' },
  },
});
hideCompileCache(process.env);
const date = shiftedDate();
date.shift(Number(options['clock-offset-ms']));
const { app } = options;
if (app !== undefined) resolveSdkFrom(app);
let current: string | undefined;

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches every process of the terminal, but the parent decides when a host ends.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('uncaughtException', (error) => failAndExit(describe(error)));
process.on('unhandledRejection', (reason) => {
  failAndExit({ ...describe(reason), errorType: 'Runtime.UnhandledPromiseRejection' });
});

function send(message: HostMessage): void {
  process.send?.(message);
}

function failAndExit(error: FunctionError): void {
  console.error(error.trace?.join('\n') ?? error.errorMessage);
  const message: HostMessage =
    current === undefined
      ? { kind: 'init-error', error }
      : { kind: 'error', requestId: current, error, fatal: true };
  process.send?.(message, () => process.exit(1));
}

function describe(thrown: unknown): FunctionError {
  if (!(thrown instanceof Error))
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  return { errorType: thrown.name, errorMessage: thrown.message, trace: thrown.stack?.split('\n') ?? [] };
}

/** Lambda's runtime has the AWS SDK, so code may lack it. Here it is that of the app. */
function resolveSdkFrom(folder: string): void {
  const parentURL = pathToFileURL(join(folder, 'package.json')).href;
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^@(aws-sdk|smithy)\//.test(specifier)) throw error;
        return next(specifier, { ...context, parentURL });
      }
    },
  });
}

async function loadHandler(): Promise<Handler> {
  const taskRoot = process.env.LAMBDA_TASK_ROOT ?? process.cwd();
  const [moduleName = 'index', exportName = 'handler'] = (process.env._HANDLER ?? '').split('.');
  const file = ['.js', '.mjs', '.cjs'].map((ending) => join(taskRoot, moduleName + ending)).find(existsSync);
  if (file === undefined) throw new Error(`there is no ${moduleName}.js, .mjs or .cjs in the code`);
  const loaded: Readonly<Record<string, unknown>> = file.endsWith('.mjs')
    ? await import(pathToFileURL(file).href)
    : createRequire(join(taskRoot, 'package.json'))(file);
  const handler = loaded[exportName];
  if (typeof handler !== 'function') throw new Error(`${moduleName}.${exportName} is not a function`);
  if (handler.length > 2) {
    throw new Error('nodejs24.x has no callback-based handlers: the handler takes (event, context) only');
  }
  return (event, context) => handler(event, context);
}

function contextOf({ requestId, deadline }: InvokeMessage): object {
  const functionName = process.env.AWS_LAMBDA_FUNCTION_NAME;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: `arn:aws:lambda:${process.env.AWS_REGION}:000000000000:function:${functionName}`,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: requestId,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadline - monotonicMs())),
  };
}

async function run(handler: Handler, message: InvokeMessage): Promise<void> {
  const { requestId } = message;
  current = requestId;
  try {
    send({ kind: 'result', requestId, result: await handler(message.event, contextOf(message)) });
  } catch (thrown) {
    const error = describe(thrown);
    console.error(error.trace?.join('\n') ?? error.errorMessage);
    send({ kind: 'error', requestId, error, fatal: false });
  } finally {
    current = undefined;
  }
}

try {
  const handler = await loadHandler();
  process.on('message', (message: InvokeMessage | ClockMessage) => {
    if (message.kind === 'clock') date.shift(message.offsetMs);
    else void run(handler, message);
  });
  send({ kind: 'ready' });
  // A host is killed in the end, and then writes nothing.
  flushCompileCache();
} catch (thrown) {
  failAndExit(describe(thrown));
}
