import { createContext, useContext } from 'react';
import type { Session } from '../api/console-types.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns who uses the console, and what they may do. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession needs SessionGate.');
  return session;
}
