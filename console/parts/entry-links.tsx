import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { search } from '../api/queries.ts';
import { shortId } from '../rules/ids.ts';
import { isMasked } from '../rules/search-kind.ts';
import { shownText } from '../rules/shown-text.ts';
import { useWords } from '../viewer/preferences.tsx';
import { NumberText } from './number-text.tsx';

interface NumberLinkProps {
  readonly number: string;
  /** Names the number in the address: `m~` and the id of a message, or `r~` and that of a reply. */
  readonly of: string;
}

/** A number that leads to its conversation. */
export function NumberLink({ number, of }: NumberLinkProps) {
  return (
    <Link className="number" to="/conversations/$of" params={{ of }}>
      <NumberText number={number} />
    </Link>
  );
}

/** A number that no message or reply in reach names: the server is asked for one. A masked number leads nowhere. */
export function NumberButton({ number }: Pick<NumberLinkProps, 'number'>) {
  const { conversation, search: texts } = useWords();
  const navigate = useNavigate();
  const [problem, setProblem] = useState('');
  if (isMasked(number)) return <span className="number">{number}</span>;
  const open = async () => {
    setProblem('');
    try {
      const { results } = await search(number);
      const found = results.find((result) => result.kind === 'number');
      if (found?.of == null) return setProblem(conversation.empty);
      await navigate({ to: '/conversations/$of', params: { of: found.of } });
    } catch {
      setProblem(texts.failed);
    }
  };
  return (
    <>
      <Button className="number link-button" onPress={() => void open()}>
        <NumberText number={number} />
      </Button>
      <span role="status" className="number-problem">
        {problem}
      </span>
    </>
  );
}

export function MessageLink({ messageId }: { readonly messageId: string }) {
  return (
    <Link className="id" to="/messages/$messageId" params={{ messageId }} title={messageId}>
      {shortId(messageId)}
    </Link>
  );
}

export function SendLink({ sendId }: { readonly sendId: string }) {
  return (
    <Link className="id" to="/sends/$sendId" params={{ sendId }} title={sendId}>
      {shortId(sendId)}
    </Link>
  );
}

/**
 * A text that a recipient or the service wrote. It is shown as text only, and cannot turn the direction of what is around it. Of a very long one the
 * beginning is shown.
 */
export function ForeignText({ text }: { readonly text: string }) {
  const { states } = useWords();
  const shown = shownText(text);
  return (
    <>
      <bdi className="foreign" dir="auto">
        {shown.text}
      </bdi>
      {shown.wholeLength !== undefined && (
        <small className="cut-text"> {states.cutText(shown.wholeLength)}</small>
      )}
    </>
  );
}
