import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sendQuery } from '../../api/queries.ts';
import { RequestError } from '../../api/request.ts';
import { Failure, isInsightsOff, Loading, RefreshState } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../viewer/preferences.tsx';
import { SendFiguresView } from './send-figures.tsx';
import { SendMessages } from './send-messages.tsx';

/** One send: how it is doing, why messages failed, and its messages. */
export function SendPage() {
  const words = useWords();
  const { sendId } = useParams({ from: '/sends/$sendId' });
  const send = useQuery(sendQuery(sendId));
  // A send may be older than its figures, so its messages are shown anyway.
  const hasNoFigures = send.error instanceof RequestError && send.error.problem.status === 404;
  return (
    <Page title={words.send.title} subject={<code>{sendId}</code>}>
      {send.isPending && <Loading rows={3} />}
      {send.data === undefined && hasNoFigures && (
        <p className="note figures-missing">
          {isInsightsOff(send.error)
            ? `${words.figures.offTitle}. ${words.figures.off}`
            : words.send.noFigures}
        </p>
      )}
      {send.data === undefined && send.isError && !hasNoFigures && (
        <Failure error={send.error} onRetry={() => void send.refetch()} />
      )}
      {send.data && (
        <>
          <RefreshState isStale={send.isError} />
          <SendFiguresView send={send.data} />
        </>
      )}
      <SendMessages
        key={sendId}
        sendId={sendId}
        failures={send.data?.failures ?? []}
        isPlaced={!send.isPending}
      />
    </Page>
  );
}
