import { type ReactNode, useEffect } from 'react';
import { isMaskedId, shortId } from '../rules/ids.ts';
import { useWords } from '../viewer/preferences.tsx';

interface PageProps {
  /** It is the window's title too, so it has no number. */
  readonly title: string;
  /** The id that the page is about. It is in the window's title unless it may have a number. */
  readonly id?: string | undefined;
  /** Shown after the title. */
  readonly subject?: ReactNode;
  readonly intro?: string;
  readonly filters?: ReactNode;
  readonly actions?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A number has at least this many digits in a row. */
const numberDigits = /\d{7}/;

/** The heading of a page, its filters and its content. */
export function Page({ title, id, subject, intro, filters, actions, className = '', children }: PageProps) {
  const words = useWords();
  useEffect(() => {
    const shown = id === undefined ? '' : shortId(id);
    const name = numberDigits.test(shown.replace(/\W/g, '')) ? title : `${title} ${shown}`.trim();
    document.title = `${name} · ${words.product}`;
  }, [title, id, words.product]);
  return (
    <div className={`page ${className}`}>
      <div className="page-head">
        <div className="page-title">
          <div className="heading">
            <h1>{title}</h1>
            {subject !== undefined && <span className="subject">{subject}</span>}
          </div>
          {intro !== undefined && <p className="intro">{intro}</p>}
          {id !== undefined && isMaskedId(id) && <p className="intro">{words.maskedId}</p>}
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
