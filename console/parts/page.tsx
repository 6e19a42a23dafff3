import { type ReactNode, useEffect } from 'react';
import { useWords } from '../viewer/preferences.tsx';

interface PageProps {
  /** It is the window's title too, so it has no number. */
  readonly title: string;
  /** Shown after the title. */
  readonly subject?: ReactNode;
  readonly intro?: string;
  readonly filters?: ReactNode;
  readonly actions?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The heading of a page, its filters and its content. */
export function Page({ title, subject, intro, filters, actions, className = '', children }: PageProps) {
  const words = useWords();
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title, words.product]);
  return (
    <div className={`page ${className}`}>
      <div className="page-head">
        <div className="page-title">
          <div className="heading">
            <h1>{title}</h1>
            {subject !== undefined && <span className="subject">{subject}</span>}
          </div>
          {intro !== undefined && <p className="intro">{intro}</p>}
        </div>
        {filters !== undefined && (
          <fieldset className="filters">
            <legend className="visually-hidden">{words.list.filters}</legend>
            {filters}
          </fieldset>
        )}
        {actions}
      </div>
      {children}
    </div>
  );
}
