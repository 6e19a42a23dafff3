import { type ReactNode, useCallback, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { mayPass, RequestError } from '../api/request.ts';
import { useWords } from '../viewer/preferences.tsx';
import { Icon, type IconName } from './icons.tsx';

interface NoticeProps {
  readonly icon?: IconName;
  readonly tone?: 'calm' | 'problem';
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** A state in place of content: empty, failed, not allowed. */
export function Notice({ icon = 'alert', tone = 'calm', title, children, action }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'problem' ? 'alert' : undefined}>
      <Icon name={icon} />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Placeholders of the height of rows, so that the page does not jump when the entries arrive. */
export function Loading({ rows = 6 }: { readonly rows?: number }) {
  const words = useWords();
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{words.states.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <span className="loading-row" key={index} aria-hidden="true" />
      ))}
    </div>
  );
}

interface RefreshStateProps {
  /** Shows new entries. Undefined where there are none. */
  readonly onShowNews?: (() => void) | undefined;
}

/** What the newest refresh found. A screen reader announces it. */
export function RefreshState({ onShowNews }: RefreshStateProps) {
  const words = useWords();
  const state = useRef<HTMLDivElement>(null);
  const showNews = () => {
    // The button disappears.
    state.current?.focus();
    onShowNews?.();
  };
  return (
    <div role="status" className="refresh-state" tabIndex={-1} ref={state}>
      {onShowNews && (
        <Button className="button news" onPress={showNews}>
          {words.list.fresh}
        </Button>
      )}
    </div>
  );
}

/** A query as React Query returns it. */
interface Tried {
  readonly error: Error | null;
  readonly errorUpdateCount: number;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/** Returns the error of a query without data, also while it is tried again. */
export function useLastError({ error, errorUpdateCount }: Pick<Tried, 'error' | 'errorUpdateCount'>) {
  const [last, setLast] = useState(error);
  if (error !== null && error !== last) setLast(error);
  return errorUpdateCount > 0 ? (error ?? last) : null;
}

interface MissingProps extends Pick<FailureProps, 'unknown'> {
  readonly query: Tried;
}

/** In place of what a query has not read yet: a placeholder, or why it cannot be read. */
export function Missing({ query, unknown }: MissingProps) {
  const error = useLastError(query);
  if (error === null) return <Loading />;
  return (
    <Failure
      error={error}
      isRepeated
      isPending={query.isFetching}
      onRetry={() => void query.refetch()}
      {...(unknown && { unknown })}
    />
  );
}

interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Whether the request is repeated without the viewer. */
  readonly isRepeated?: boolean;
  readonly isPending?: boolean;
  /** What a 404 means here. */
  readonly unknown?: { readonly title: string; readonly text: string };
}

/** An error of a request, with what the viewer can do. */
export function Failure({ error, onRetry, isRepeated = false, isPending = false, unknown }: FailureProps) {
  const words = useWords();
  const cause = useCause();
  const status = error instanceof RequestError ? error.problem.status : undefined;
  if (status === 401) return <Notice title={words.states.sessionTitle}>{words.states.session}</Notice>;
  if (status === 403) return <Notice title={words.states.forbiddenTitle}>{words.states.forbidden}</Notice>;
  if (isInsightsOff(error)) return <Notice title={words.figures.offTitle}>{words.figures.off}</Notice>;
  if (status === 404 && unknown)
    return (
      <Notice icon="question" title={unknown.title}>
        {unknown.text}
      </Notice>
    );
  return (
    <Notice
      tone="problem"
      title={words.states.errorTitle}
      action={
        onRetry && (
          <Button className="button" isPending={isPending} onPress={onRetry}>
            {words.actions.retry}
          </Button>
        )
      }
    >
      {cause(error)} {isRepeated && mayPass(error) && words.states.again}
    </Notice>
  );
}

/** Whether the pipeline counts nothing, so there are no figures. */
export function isInsightsOff(error: Error | null): boolean {
  return error instanceof RequestError && error.problem.type.endsWith(':insights-off');
}

/** Returns a function that says in the viewer's language why a request failed. */
export function useCause(): (error: Error) => string {
  const { states } = useWords();
  return useCallback(
    (error) => {
      if (!(error instanceof RequestError)) return states.offline;
      const { status, detail } = error.problem;
      if (status < 300) return states.unreadable;
      if (status === 401) return states.session;
      if (status === 403) return states.forbidden;
      if (status === 429) return states.throttled;
      return status === 503 ? states.unavailable : states.answered(status, detail);
    },
    [states],
  );
}
