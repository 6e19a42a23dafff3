/**
 * A document with one part of it written anew: what stands between `<!-- generated: <name> -->` and
 * `<!-- end of generated: <name> -->`.
 *
 * @throws Error where the document does not have both lines
 */
export function withGenerated(document: string, name: string, part: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of generated: ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the document has no part between "${begin}" and "${end}"`);
  return `${document.slice(0, from + begin.length)}\n\n${part}\n\n${document.slice(to)}`;
}
