import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { Failure, Loading } from '../parts/notice.tsx';
import { useWords } from '../viewer/preferences.tsx';
import { SessionContext } from '../viewer/session.ts';

/** Shows the console to those who have a session. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const words = useWords();
  const session = useQuery(sessionQuery);
  if (session.isSuccess) return <SessionContext value={session.data}>{children}</SessionContext>;
  return (
    <main className="gate">
      <h1 className="visually-hidden">{words.product}</h1>
      {session.isPending ? (
        <Loading rows={3} />
      ) : (
        <Failure error={session.error} onRetry={() => void session.refetch()} />
      )}
    </main>
  );
}
