import type { FunctionGrant } from '../../../local/gateway/access.ts';
import { type PermissionFile, parsePermissions } from '../../../local/gateway/permission-file.ts';

/** What the functions of a pipeline may do, while it is up. */
export interface PermissionControl {
  /** What they may, what of it they did, and what they were denied, as of now. */
  read(): Promise<PermissionFile>;
  /** Takes grants from functions, and gives back those taken before. */
  withhold(grants: readonly FunctionGrant[]): Promise<void>;
}

/** @param port the first of the pipeline's five */
export function permissionControl(port: number): PermissionControl {
  const call = async (init?: RequestInit): Promise<PermissionFile> => {
    const response = await fetch(`http://127.0.0.1:${port + 4}/local/permissions/without`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`permissions: ${response.status} ${text}`);
    return parsePermissions(text);
  };
  return {
    read: () => call(),
    withhold: async (grants) => void (await call({ method: 'PUT', body: JSON.stringify({ grants }) })),
  };
}
