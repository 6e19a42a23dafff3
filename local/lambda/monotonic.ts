/** Milliseconds since some time in the past that is the same for all processes of this machine; no clock change moves it. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
