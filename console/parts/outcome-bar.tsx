import { type OutcomeCounts, outcomeOrder } from '../rules/rates.ts';
import { useFormats } from '../viewer/formats.ts';
import { useWords } from '../viewer/preferences.tsx';

/** The shares of delivered, failed and pending messages in one bar. Its text is for screen readers; the numbers stand beside it. */
export function OutcomeBar({ counts }: { readonly counts: OutcomeCounts }) {
  const { outcomes } = useWords();
  const { count } = useFormats();
  const parts = outcomeOrder.filter((outcome) => counts[outcome] > 0);
  return (
    <span
      className="outcome-bar"
      role="img"
      aria-label={parts.map((outcome) => `${outcomes[outcome]}: ${count(counts[outcome])}`).join(', ')}
    >
      {parts.map((outcome) => (
        <span key={outcome} data-outcome={outcome} style={{ flexGrow: counts[outcome] }} />
      ))}
    </span>
  );
}
