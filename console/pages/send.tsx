import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { segment } from '../api/request.ts';
import { Page } from '../parts/page.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { useWords } from '../viewer/preferences.tsx';
import { keyOfMessage, useMessageColumns } from './message-columns.tsx';

/** The messages of one send. */
export function SendPage() {
  const words = useWords();
  const { sendId } = useParams({ from: '/sends/$sendId' });
  const columns = useMessageColumns('firstSeenAt');
  const source = useMemo(() => ({ path: `/v1/sends/${segment(sendId)}/messages`, filters: {} }), [sendId]);
  return (
    <Page title={words.send.title} subject={<code>{sendId}</code>} intro={words.send.intro}>
      <RecordList
        name="send"
        label={words.send.title}
        source={source}
        columns={columns}
        keyOf={keyOfMessage}
        empty={words.send.empty}
      />
    </Page>
  );
}
