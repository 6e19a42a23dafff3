import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useWords } from '../viewer/preferences.tsx';

/** A page whose code failed, for example at an answer of another form than it expects. The frame around it still works. */
export function BrokenPage({ error }: { readonly error: unknown }) {
  const { states, actions } = useWords();
  const client = useQueryClient();
  const router = useRouter();
  const retry = () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    void router.invalidate();
  };
  return (
    <Page title={states.brokenTitle}>
      <Notice
        tone="problem"
        title={states.errorTitle}
        action={
          <Button className="button" onPress={retry}>
            {actions.retry}
          </Button>
        }
      >
        {states.broken} <code>{String(error)}</code>
      </Notice>
    </Page>
  );
}
