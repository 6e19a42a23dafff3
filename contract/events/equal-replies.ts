/**
 * A service may give its replies neither an id nor a time. Then a copy of a reply looks like another reply with the same words. A service
 * sends a request again if it got no answer, which it does soon. So an equal reply is a copy if it arrives within this time, in
 * milliseconds, and a new reply after it (ADR 41).
 */
const maxCopyDelayMs = 4000;

/** Returns the id of a reply without an id and a time: it follows from its content and from the period in which it was received. */
export function idByReceipt(contentId: string, receivedAt: string): string {
  return idOfPeriod(contentId, periodOf(receivedAt));
}

/** Returns whether {@link idByReceipt} made an id. */
export function isIdByReceipt(id: string, contentId: string): boolean {
  return id.startsWith(`${contentId}.`);
}

/** Returns the ids under which copies of a reply may be stored that were received in the period before its own or after it. */
export function idsOfCopies(id: string): readonly string[] {
  const at = id.lastIndexOf('.');
  const [contentId, period] = [id.slice(0, at), Number.parseInt(id.slice(at + 1), 36)];
  return [idOfPeriod(contentId, period - 1), idOfPeriod(contentId, period + 1)];
}

/** Returns whether two equal replies are copies of one. @param a when one was received, ISO 8601 in UTC @param b when the other was */
export function areCopies(a: string, b: string): boolean {
  return Math.abs(Date.parse(a) - Date.parse(b)) <= maxCopyDelayMs;
}

const periodOf = (receivedAt: string) => Math.floor(Date.parse(receivedAt) / maxCopyDelayMs);

const idOfPeriod = (contentId: string, period: number) => `${contentId}.${period.toString(36)}`;
