import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/** Returns the time, in milliseconds since the epoch. It moves once a minute, so that an open page follows the hours. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
