import { useCallback, useState } from 'react';

/** Returns a reference for an element, and its width in pixels; 0 before it is known. A chart is drawn for its width, so that its texts keep their size. */
export function useWidth() {
  const [width, setWidth] = useState(0);
  const reference = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { reference, width };
}
