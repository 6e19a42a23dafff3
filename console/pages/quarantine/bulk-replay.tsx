import { useQueryClient } from '@tanstack/react-query';
import pMap from 'p-map';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Quarantined } from '../../../client/types.ts';
import { type ListSource, refreshQuarantine, replay } from '../../api/queries.ts';
import { readAll } from '../../api/read-all.ts';
import { RequestError } from '../../api/request.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { useWords } from '../../viewer/preferences.tsx';
import type { Words } from '../../words/english.ts';

/** A page replays as long as it is open. More entries are the work of `sms quarantine replay`. */
const maxEntries = 5000;

/** The API allows 20 requests a second to all its callers. */
const concurrency = 4;

interface Result {
  readonly sent: number;
  /** How many entries were not sent, by the sentence that says why. */
  readonly stay: ReadonlyMap<string, number>;
}

type State =
  | { readonly kind: 'idle' | 'failed' }
  | { readonly kind: 'running'; readonly done: number; readonly total: number | undefined }
  | { readonly kind: 'done'; readonly result: Result; readonly isPartial: boolean };

interface BulkReplayProps {
  /** The list of the entries. */
  readonly source: ListSource;
  readonly reason: string;
  /** The name of the reason in the viewer's language. */
  readonly reasonText: string;
}

/** Replays all entries of a list, a few at a time, and shows how far it is and what happened. */
export function BulkReplay({ source, reason, reasonText }: BulkReplayProps) {
  const { quarantine, actions } = useWords();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [state, setState] = useState<State>({ kind: 'idle' });
  const isStopped = useRef(false);
  // After leaving the page an operator could neither stop the replay nor see its result.
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );

  const run = async () => {
    isStopped.current = false;
    setState({ kind: 'running', done: 0, total: undefined });
    try {
      const { entries, isPartial } = await readAll<Quarantined>(source, { max: maxEntries });
      let done = 0;
      let sent = 0;
      const stay = new Map<string, number>();
      setState({ kind: 'running', done, total: entries.length });
      await pMap(
        entries,
        async ({ id }) => {
          if (isStopped.current) return;
          const { why, isOfAll } = await tryReplay(id, quarantine);
          if (why === undefined) sent += 1;
          else stay.set(why, (stay.get(why) ?? 0) + 1);
          if (isOfAll) isStopped.current = true;
          done += 1;
          setState({ kind: 'running', done, total: entries.length });
        },
        { concurrency },
      );
      setState({ kind: 'done', result: { sent, stay }, isPartial: isPartial || done < entries.length });
    } catch {
      setState({ kind: 'failed' });
    } finally {
      refreshQuarantine(client);
    }
  };

  const isRunning = state.kind === 'running';
  return (
    <div className="card bulk-replay">
      <div className="dialog-actions">
        <Button className="button primary" isPending={isRunning} onPress={() => setAsking(true)}>
          {quarantine.replayAll}
        </Button>
        {isRunning && (
          <Button
            className="button"
            onPress={() => {
              isStopped.current = true;
            }}
          >
            {actions.stop}
          </Button>
        )}
      </div>
      <div role="status" className="bulk-outcome">
        {isRunning && (
          <>
            <progress
              aria-label={quarantine.replayAll}
              value={state.total === undefined ? undefined : state.done}
              max={state.total}
            />
            <p>{quarantine.replaying(state.done, state.total)}</p>
          </>
        )}
        {state.kind === 'failed' && (
          <p className="replay-outcome" data-bad>
            <Icon name="cross" />
            {quarantine.replayFailed}
          </p>
        )}
        {state.kind === 'done' && (
          <>
            <p className="replay-outcome">
              <Icon name={state.result.sent > 0 ? 'pending' : 'alert'} />
              {quarantine.replayedAll(state.result.sent)}
            </p>
            {[...state.result.stay].map(([why, count]) => (
              <p className="replay-outcome" data-bad key={why}>
                <Icon name="alert" />
                {quarantine.stayAll(count)} {why}
              </p>
            ))}
            {state.isPartial && <p>{quarantine.replayRest(`sms quarantine replay --reason ${reason}`)}</p>}
          </>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={quarantine.replayAllTitle(reasonText)}
        text={quarantine.replayText}
        action={quarantine.replayAll}
        onConfirm={() => void run()}
      />
    </div>
  );
}

/** How often, and after how many milliseconds, a request that was throttled is repeated. */
const attempts = 5;
const waitMs = 2000;

interface Tried {
  /** Why the entry stays; undefined if it was sent. */
  readonly why: string | undefined;
  /** Whether the other entries would stay for the same reason. */
  readonly isOfAll: boolean;
}

async function tryReplay(id: string, { replayFailed, whyStays }: Words['quarantine']): Promise<Tried> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { outcome, why } = await replay(id, false);
      return { why: outcome === 'sent' ? undefined : (whyStays[outcome] ?? why ?? outcome), isOfAll: false };
    } catch (error) {
      const status = error instanceof RequestError ? error.problem.status : undefined;
      if ((status === 429 || status === 503) && attempt < attempts) {
        await new Promise((resolve) => setTimeout(resolve, waitMs * attempt));
        continue;
      }
      // The connection, the session or the right is gone.
      const isOfAll = status === undefined || status === 401 || status === 403;
      return { why: error instanceof RequestError ? error.problem.detail : replayFailed, isOfAll };
    }
  }
}
