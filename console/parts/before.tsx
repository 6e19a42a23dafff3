import type { ReactNode } from 'react';
import { useWords } from '../viewer/preferences.tsx';
import { Icon } from './icons.tsx';

interface BeforeProps {
  /** Where it got worse: whether the value rose or fell. */
  readonly icon: 'up' | 'down' | undefined;
  readonly children: ReactNode;
}

/** A value of the time before. */
export function Before({ icon, children }: BeforeProps) {
  const { overview } = useWords();
  return (
    <span className="before">
      {icon && (
        <>
          <Icon name={icon} />
          <span className="visually-hidden">{overview.worse}</span>
        </>
      )}
      {children}
    </span>
  );
}
