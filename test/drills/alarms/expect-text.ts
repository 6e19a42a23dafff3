/** @throws Error where a text has no such part */
export function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`expected "${part}" in: ${text.trim().slice(0, 300)}`);
}
