import { type ReactNode, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useWords } from '../viewer/preferences.tsx';
import { Icon } from './icons.tsx';

interface CopyableProps {
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly label: string;
  /** What is shown in place of the text. */
  readonly children?: ReactNode;
}

/** An identifier, with a button that copies it. */
export function Copyable({ text, label, children }: CopyableProps) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // The browser forbids it. The text can still be selected.
      () => setCopied(false),
    );
  };
  return (
    <span className="copyable">
      {children ?? <code>{text}</code>}
      <Button className="icon-button" onPress={copy} aria-label={words.actions.copyOf(label)}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? words.actions.copied : ''}
      </span>
    </span>
  );
}
