import { Link } from '@tanstack/react-router';
import type { ReasonCount } from '../../../client/types.ts';
import { segment } from '../../api/request.ts';
import { BarTable } from '../../parts/bar-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { NextStepButton, useReasonText } from '../../parts/status.tsx';
import { statusesOf } from '../../rules/failure-filter.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { sendMessageColumns } from '../messages/message-columns.tsx';

/** Stands for codes that are not counted apart. */
const otherCodes = '*';

interface SendFailuresProps {
  readonly sendId: string;
  readonly failures: readonly ReasonCount[];
  readonly failed: number;
}

/** Why messages of a send failed. Each reason leads to its messages. */
export function SendFailures({ sendId, failures, failed }: SendFailuresProps) {
  const { figures, columns } = useWords();
  const { count, percent } = useFormats();
  const reasonText = useReasonText();
  const most = failures[0]?.messages ?? 0;
  return (
    <section className="card" aria-labelledby="failures">
      <div className="card-head">
        <h2 id="failures">{figures.failures}</h2>
        {failed > 0 && <FailuresDownload sendId={sendId} />}
      </div>
      {failures.length === 0 ? (
        <p className="note">{figures.noFailures}</p>
      ) : (
        <BarTable
          label={figures.failures}
          headers={[columns.reason, columns.messages, columns.share]}
          rows={failures.map(({ reason, code, messages }) => ({
            key: `${reason} ${code}`,
            outcome: 'failed',
            share: messages / most,
            name: (
              <span className="reason-name">
                <span>
                  <Link
                    to="/sends/$sendId"
                    params={{ sendId }}
                    search={{ state: 'failed', reason, ...(code !== otherCodes && { code: code ?? '' }) }}
                    hash="messages"
                  >
                    {reasonText({ errorReason: reason })}
                  </Link>
                  <span className="code-of-reason">
                    {code === null ? (
                      figures.noCode
                    ) : code === otherCodes ? (
                      figures.otherCodes
                    ) : (
                      <Link to="/codes/$code" params={{ code }}>
                        <code>{code}</code>
                      </Link>
                    )}
                  </span>
                </span>
                <NextStepButton reason={reason} />
              </span>
            ),
            cells: [count(messages), percent(messages / failed)],
          }))}
        />
      )}
    </section>
  );
}

function FailuresDownload({ sendId }: Pick<SendFailuresProps, 'sendId'>) {
  const { figures } = useWords();
  return (
    <DownloadButton
      name="send-failures"
      about={sendId}
      label={figures.downloadFailures}
      source={{
        path: `/v1/sends/${segment(sendId)}/messages`,
        filters: { status: statusesOf('failed').join(',') },
      }}
      columns={sendMessageColumns}
    />
  );
}
