import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { moduleFile } from '../../contract/document/package-store.ts';
import type { Permission } from '../aws-protocol/call.ts';
import type { Caller, CallerAccess } from '../iam/caller.ts';
import type { Route } from './gateway-server.ts';

/** The first message from the run to its gateway. Each user of the machine can read a command line, and the settings have the access key. */
export interface Start {
  readonly kind: 'start';
  readonly settings: GatewaySettings;
}

/** A later message from the run to its gateway. The gateway answers each order under the order's id. */
export type Order = { readonly id: number } & (
  | { readonly kind: 'set-caller'; readonly caller: Caller }
  | { readonly kind: 'check'; readonly accessKeyId: string; readonly permissions: readonly Permission[] }
  | { readonly kind: 'write' }
);

export type GatewayMessage =
  | { readonly kind: 'ready' }
  /** `denial` says why a check failed. */
  | { readonly kind: 'answer'; readonly id: number; readonly denial: string | undefined }
  /** A line for the person at the terminal. */
  | { readonly kind: 'note'; readonly line: string };

/** The settings of the gateway's process. */
export interface GatewaySettings {
  readonly routes: readonly Route[];
  /** The port on which Secrets Manager answers. */
  readonly secretsPort: number;
  readonly permissionFile: string;
}

const SCRIPT = moduleFile('local/gateway/gateway-process.ts');

export interface GatewayOptions extends GatewaySettings {
  readonly logFile: string;
  /** Marks the process's command line as one of this run's. */
  readonly runId: string;
  /** Shows a line at the terminal. */
  readonly note: (line: string) => void;
}

export interface Gateway extends CallerAccess {
  readonly pid: number;
  /** Resolves when it answers. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  /** Resolves when `permissions.json` is complete. */
  write(): Promise<void>;
}

type OrderWithoutId = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never;

/** Starts the gateway in a process of its own: see gateway-process.ts. */
export function startGateway({ logFile, runId, note, ...settings }: GatewayOptions): Gateway {
  const log = openSync(logFile, 'w');
  const child = fork(SCRIPT, [`--run=${runId}`], {
    execArgv: [],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  child.send({ kind: 'start', settings } satisfies Start, () => {});
  const exited = once(child, 'exit').then(() => undefined);
  const failed = exited.then(() => Promise.reject(new Error(`the gateway ended: see ${logFile}`)));
  failed.catch(() => {});
  const pending = new Map<number, (denial: string | undefined) => void>();
  let lastId = 0;
  const started = new Promise<void>((resolve) => {
    child.on('message', (message: GatewayMessage) => {
      if (message.kind === 'ready') return resolve();
      if (message.kind === 'note') return note(message.line);
      pending.get(message.id)?.(message.denial);
      pending.delete(message.id);
    });
  });
  const send = (order: OrderWithoutId): Promise<string | undefined> => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<string | undefined>((resolve) => pending.set(id, resolve));
    child.send({ ...order, id }, () => {});
    return Promise.race([answered, failed]);
  };
  return {
    pid: child.pid ?? 0,
    ready: Promise.race([started, failed]),
    exited,
    async setCaller(caller) {
      await send({ kind: 'set-caller', caller });
    },
    denialOf: (accessKeyId, permissions) => send({ kind: 'check', accessKeyId, permissions }),
    async write() {
      if (child.connected) await send({ kind: 'write' });
    },
  };
}
