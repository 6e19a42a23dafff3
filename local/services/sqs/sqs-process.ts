/** SQS as a process of its own, so that queueing does not slow down the HTTP API and can be paused by tests. */
import { flushCompileCache } from 'node:module';
import { startSqsServer } from './sqs-server.ts';

process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

await startSqsServer(Number(process.argv[2]), Number(process.argv[3]));
process.send?.('ready');
flushCompileCache();
