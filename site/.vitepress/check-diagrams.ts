/** Fails where a Mermaid block of a page does not parse. A browser would show its source instead of a diagram. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Window } from 'happy-dom';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', '{docs,examples}/**/*.md', 'site/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).sort();

// Mermaid cleans texts in a document, and looks for it when it is imported.
const window = new Window();
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import('mermaid');

let blocks = 0;
for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8');
  for (const { index, 2: source = '' } of text.matchAll(
    /^[ \t]*(`{3,}|~{3,})mermaid[^\n]*\n(.*?)^[ \t]*\1/gms,
  )) {
    blocks += 1;
    const line = text.slice(0, index).split('\n').length;
    try {
      await mermaid.parse(source);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(
        `${page}:${line}: this Mermaid block does not parse.\n${error instanceof Error ? error.message : error}\n`,
      );
    }
  }
}
// An expression that finds no block would let everything pass.
if (blocks === 0) throw new Error('No page has a Mermaid block. Correct the search of check-diagrams.ts.');
await window.happyDOM.close();
