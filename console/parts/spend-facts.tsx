import type { Send } from '../../client/types.ts';
import { useFormats } from '../viewer/formats.ts';
import { useWords } from '../viewer/preferences.tsx';

interface SpendFactsProps {
  readonly counts: Pick<Send, 'messages' | 'segments' | 'spend'>;
}

/** What messages cost and in how many parts they were sent, for a list of facts; nothing if no report has it. */
export function SpendFacts({ counts }: SpendFactsProps) {
  const { figures } = useWords();
  const { count, money } = useFormats();
  const { messages, segments, spend } = counts;
  const priced = spend.reduce((sum, { messages: own }) => sum + own, 0);
  return (
    <>
      {spend.length > 0 && (
        <div>
          <dt>{figures.spend}</dt>
          <dd>
            {spend.map(({ amount, currency }) => money(amount, currency)).join(' + ')}
            {priced < messages && (
              <span className="note"> {figures.priced(count(priced), count(messages))}</span>
            )}
          </dd>
        </div>
      )}
      {segments > 0 && (
        <div>
          <dt>{figures.segments}</dt>
          <dd>{count(segments)}</dd>
        </div>
      )}
    </>
  );
}
