import { useWords } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';
import { Choice } from './choice.tsx';

interface SourceChoiceProps {
  readonly value: string | undefined;
  readonly onChange: (source: string | undefined) => void;
}

/** Returns the source of an address, if the pipeline has it. */
export function useKnownSource(name: string | undefined): string | undefined {
  return useSession().sources.find((known) => known === name);
}

/** A filter by provider; nothing in a pipeline with one source. */
export function SourceChoice({ value, onChange }: SourceChoiceProps) {
  const { providers, list } = useWords();
  const { sources } = useSession();
  if (sources.length < 2) return null;
  return (
    <Choice
      label={providers.provider}
      value={value ?? ''}
      options={[['', list.anyProvider], ...sources.map((name) => [name, name] as const)]}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}
