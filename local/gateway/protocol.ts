import type { Permission } from './call.ts';
import type { Caller } from './caller.ts';
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
