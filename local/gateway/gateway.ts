import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Permission } from '../aws-protocol/call.ts';
import type { Caller, CallerAccess } from '../iam/caller.ts';
import type { Route } from './gateway-server.ts';

/** What travels over IPC between a run and its gateway. Each order is answered under its id. */
export type Order = { readonly id: number } & (
  | { readonly type: 'set-caller'; readonly caller: Caller }
  | { readonly type: 'check'; readonly accessKeyId: string; readonly permissions: readonly Permission[] }
  | { readonly type: 'write' }
);

export type GatewayMessage =
  | { readonly type: 'ready' }
  /** `denial`: why a check failed. */
  | { readonly type: 'answer'; readonly id: number; readonly denial: string | undefined }
  /** A line for the person at the terminal. */
  | { readonly type: 'note'; readonly line: string };

/** What the gateway's process is started with, as JSON in its first argument. */
export interface GatewaySettings {
  readonly routes: readonly Route[];
  /** Where Secrets Manager answers. */
  readonly secretsPort: number;
  readonly permissionFile: string;
}

const SCRIPT = fileURLToPath(new URL('./gateway-process.ts', import.meta.url));

export interface GatewayOptions extends GatewaySettings {
  readonly logFile: string;
  /** Marks the process's command line as one of this run's. */
  readonly runId: string;
  /** Tells the person at the terminal something in one line. */
  readonly note: (line: string) => void;
}

export interface Gateway extends CallerAccess {
  readonly pid: number;
  /** Resolves when it answers. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  /** Resolves when `permissions.json` says everything. */
  write(): Promise<void>;
}

type OrderWithoutId = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never;

/** Starts the gateway in a process of its own: see gateway-process.ts. */
export function startGateway({ logFile, runId, note, ...settings }: GatewayOptions): Gateway {
  const log = openSync(logFile, 'w');
  const child = fork(SCRIPT, [JSON.stringify(settings), `--run=${runId}`], {
    execArgv: [],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const exited = once(child, 'exit').then(() => undefined);
  const failed = exited.then(() => Promise.reject(new Error(`the gateway ended: see ${logFile}`)));
  failed.catch(() => {});
  const open = new Map<number, (denial: string | undefined) => void>();
  let lastId = 0;
  const started = new Promise<void>((resolve) => {
    child.on('message', (message: GatewayMessage) => {
      if (message.type === 'ready') return resolve();
      if (message.type === 'note') return note(message.line);
      open.get(message.id)?.(message.denial);
      open.delete(message.id);
    });
  });
  const order = (given: OrderWithoutId): Promise<string | undefined> => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<string | undefined>((resolve) => open.set(id, resolve));
    child.send({ ...given, id }, () => {});
    return Promise.race([answered, failed]);
  };
  return {
    pid: child.pid ?? 0,
    ready: Promise.race([started, failed]),
    exited,
    async setCaller(caller) {
      await order({ type: 'set-caller', caller });
    },
    denialOf: (accessKeyId, permissions) => order({ type: 'check', accessKeyId, permissions }),
    async write() {
      if (child.connected) await order({ type: 'write' });
    },
  };
}
