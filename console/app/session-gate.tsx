import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components';
import { leaveToSignIn, leaveToSignOut, readSignInConfig, unreachable } from '../api/arrival.ts';
import { isSignedIn, onSessionEnd, sessionEnd } from '../api/bearer.ts';
import { sessionQuery } from '../api/queries.ts';
import { RequestError } from '../api/request.ts';
import type { Arrival } from '../api/sign-in.ts';
import { Failure, Loading, Notice, useLastError } from '../parts/notice.tsx';
import { returnPath } from '../rules/return-path.ts';
import { useWords } from '../viewer/preferences.tsx';
import { SessionContext } from '../viewer/session.ts';

interface SessionGateProps {
  /** What led the browser to the page. */
  readonly arrival: Arrival;
  readonly children: ReactNode;
}

/** Shows the console to those who have a session. */
export function SessionGate({ arrival: atFirst, children }: SessionGateProps) {
  const words = useWords();
  const arrival = useSyncExternalStore(onSessionEnd, sessionEnd) ?? atFirst;
  const session = useQuery({ ...sessionQuery, enabled: arrival.kind === 'open' });
  const error = useLastError(session);
  if (arrival.kind === 'open' && session.isSuccess)
    return <SessionContext value={session.data}>{children}</SessionContext>;
  if (arrival.kind === 'expired' || (arrival.kind === 'open' && error === null)) return <Opening />;
  return (
    <main className="gate">
      <h1 className="visually-hidden">{words.product}</h1>
      {arrival.kind === 'used-address' ? (
        <Notice title={words.signIn.usedTitle}>{words.signIn.used}</Notice>
      ) : arrival.kind !== 'open' ? (
        <SignInNotice arrival={arrival} />
      ) : (
        error !== null && <WithoutSession error={error} onRetry={() => void session.refetch()} />
      )}
    </main>
  );
}

/** Says that the console opens. Until a page is there, index.html shows the frame of one. */
function Opening() {
  const { states } = useWords();
  return (
    <p className="visually-hidden" role="status">
      {states.loading}
    </p>
  );
}

const currentPath = () => returnPath(window.location);

function WithoutSession({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const words = useWords();
  const status = error instanceof RequestError ? error.problem.status : undefined;
  const config = useQuery({
    queryKey: ['sign-in-config'],
    queryFn: readSignInConfig,
    enabled: status === 401 || status === 403,
  });
  const mustSignIn = status === 401 && !isSignedIn() && Boolean(config.data);
  const [isUnreachable, setUnreachable] = useState(false);
  useEffect(() => {
    if (mustSignIn && config.data)
      leaveToSignIn(config.data, currentPath()).catch(() => setUnreachable(true));
  }, [mustSignIn, config.data]);
  if (isUnreachable || config.isError)
    return <SignInNotice arrival={{ ...unreachable, returnTo: currentPath() }} />;
  if (mustSignIn || config.isLoading) return <Loading rows={3} />;
  if (!config.data) return <Failure error={error} isRepeated onRetry={onRetry} />;
  // The provider knows the user, and the API does not accept the token.
  return (
    <Notice
      title={status === 403 ? words.signIn.noGroupTitle : words.signIn.failedTitle}
      action={<Leave label={words.signIn.out} onPress={leaveToSignOut} />}
    >
      {status === 403 ? words.signIn.noGroup : words.signIn.failed('token')}
    </Notice>
  );
}

interface SignInNoticeProps {
  readonly arrival: Extract<Arrival, { kind: 'signed-out' | 'failed' }>;
}

function SignInNotice({ arrival }: SignInNoticeProps) {
  const { signIn } = useWords();
  const returnTo = arrival.kind === 'failed' ? (arrival.returnTo ?? '/') : '/';
  const begin = async () => {
    const config = await readSignInConfig();
    if (config === null) window.location.assign(returnTo);
    else await leaveToSignIn(config, returnTo);
  };
  const [title, text] =
    arrival.kind === 'failed'
      ? [signIn.failedTitle, signIn.failed(arrival.reason)]
      : arrival.isElsewhereIn
        ? [signIn.leftTitle, signIn.leftText]
        : [signIn.outTitle, signIn.outText];
  return (
    <Notice
      icon={arrival.kind === 'failed' ? 'alert' : 'check'}
      title={title}
      action={<Leave label={signIn.in} onPress={begin} />}
    >
      {text}
    </Notice>
  );
}

interface LeaveProps {
  readonly label: string;
  /** Leads the browser away. */
  readonly onPress: () => Promise<void>;
}

function Leave({ label, onPress }: LeaveProps) {
  const { signIn } = useWords();
  const [isFailed, setFailed] = useState(false);
  const leave = async () => {
    setFailed(false);
    try {
      await onPress();
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      <Button className="button" onPress={() => void leave()}>
        {label}
      </Button>
      <p role="status">{isFailed && signIn.notReached}</p>
    </>
  );
}
