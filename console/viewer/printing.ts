import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Returns whether the page is being printed. A virtual list then has each of its rows in the document. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const media = matchMedia('print');
    // The browser takes the document as it is after the event.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    const change = ({ matches }: MediaQueryListEvent) => (matches ? begin() : end());
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    media.addEventListener('change', change);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      media.removeEventListener('change', change);
    };
  }, []);
  return isPrinting;
}
