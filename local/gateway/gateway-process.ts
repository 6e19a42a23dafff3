/** The gateway as a process of its own, so that it slows down neither the HTTP API nor a service: see gateway-server.ts. */
import { flushCompileCache } from 'node:module';
import { Access } from '../iam/access.ts';
import { writePermissionFile } from '../iam/permission-file.ts';
import { secretArns } from '../services/secrets-manager/service.ts';
import { Faults } from './faults.ts';
import type { GatewayMessage, GatewaySettings, Order, Start } from './gateway.ts';
import { startGatewayServer } from './gateway-server.ts';

/** How long a change may wait until it is written. A grown number waits longer, because calls make one hundreds of times a second. */
const WRITING_MS = { new: 500, grown: 5000 };

let permissionFile: string | undefined;
let waiting: { readonly isNew: boolean; readonly timer: NodeJS.Timeout } | undefined;

const access = new Access(
  (isNew) => {
    if (waiting?.isNew === true || (waiting && !isNew)) return;
    clearTimeout(waiting?.timer);
    waiting = { isNew, timer: setTimeout(write, isNew ? WRITING_MS.new : WRITING_MS.grown) };
  },
  ({ label }, denial) => send({ kind: 'note', line: `${label} was denied a call: ${denial}` }),
);

process.on('disconnect', () => {
  write();
  process.exit(0);
});
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message: Start | Order) => {
  if (message.kind === 'start') void start(message.settings);
  else send({ kind: 'answer', id: message.id, denial: obey(message) });
});

async function start(settings: GatewaySettings): Promise<void> {
  ({ permissionFile } = settings);
  await startGatewayServer(settings.routes, {
    access,
    secretArnOf: secretArns(settings.secretsPort),
    faults: new Faults(),
  });
  send({ kind: 'ready' });
  flushCompileCache();
}

function obey(order: Order): string | undefined {
  if (order.kind === 'set-caller') access.set(order.caller);
  else if (order.kind === 'write') write();
  else return access.denialForLambda(order.accessKeyId, order.permissions);
  return undefined;
}

function write(): void {
  clearTimeout(waiting?.timer);
  waiting = undefined;
  if (permissionFile !== undefined) writePermissionFile(permissionFile, access.report());
}

function send(message: GatewayMessage): void {
  process.send?.(message, () => {});
}
