import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { reveal } from '../api/request.ts';
import { useWords } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';

/** Shows whole numbers where the server masks them. It holds until the page is closed, and the server logs each request. */
export function RevealButton() {
  const words = useWords();
  const client = useQueryClient();
  const { masked, canReveal } = useSession();
  const [isRevealed, setRevealed] = useState(false);
  if (!masked || !canReveal) return null;
  const change = (isWanted: boolean) => {
    reveal(isWanted);
    setRevealed(isWanted);
    void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
  return (
    <ToggleButton className="button reveal" isSelected={isRevealed} onChange={change}>
      {words.reveal.button}
    </ToggleButton>
  );
}
