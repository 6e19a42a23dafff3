import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sendQuery } from '../../api/queries.ts';
import { RequestError } from '../../api/request.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { isInsightsOff, Missing, useLastError } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useWords } from '../../viewer/preferences.tsx';
import { SendFiguresView } from './send-figures.tsx';
import { SendMessages } from './send-messages.tsx';

/** One send: how it is doing, why messages failed, and its messages. */
export function SendPage() {
  const words = useWords();
  const { sendId } = useParams({ from: '/sends/$sendId' });
  const send = useQuery(sendQuery(sendId));
  // An address with a masked id may be opened by a viewer who may see the id.
  const shownId = send.data?.sendId ?? sendId;
  // A send may be older than its figures, so its messages are shown anyway.
  const error = useLastError(send);
  const hasNoFigures = error instanceof RequestError && error.problem.status === 404;
  return (
    <Page
      title={words.send.title}
      id={shownId}
      subject={<Copyable text={shownId} label={words.columns.send} />}
    >
      {send.data === undefined && hasNoFigures && (
        <p className="note figures-missing">
          {isInsightsOff(error) ? `${words.figures.offTitle}. ${words.figures.off}` : words.send.noFigures}
        </p>
      )}
      {send.data === undefined && !hasNoFigures && (
        <div className="figures-ahead">
          <Missing query={send} />
        </div>
      )}
      {send.data && <SendFiguresView send={send.data} />}
      <SendMessages
        key={sendId}
        sendId={sendId}
        failures={send.data?.failures ?? []}
        hasFigures={send.data !== undefined}
        isPlaced={send.data !== undefined || error !== null}
      />
    </Page>
  );
}
