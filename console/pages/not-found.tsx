import { Page } from '../parts/page.tsx';
import { useWords } from '../viewer/preferences.tsx';

export function NotFoundPage() {
  const { states } = useWords();
  return (
    <Page title={states.notFoundTitle}>
      <p className="note">{states.notFound}</p>
    </Page>
  );
}
