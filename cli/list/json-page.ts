import { toJson } from '../text/sanitize.ts';

/** A page of a list as one JSON document that is written in parts: `{"entries": [...], "next": <cursor or null>}`. */
export interface JsonPage {
  /** Begins the document, or goes on with it. */
  entries(entries: readonly unknown[]): string;
  /** Ends the document; entries, be they none, came before. */
  end(next: string | undefined): string;
}

/** Writes what toJson gives of the whole page. */
export function openJson(): JsonPage {
  let isBegun = false;
  let isEmpty = true;
  return {
    entries(entries) {
      const begin = isBegun ? '' : '{\n  "entries": [';
      isBegun = true;
      const texts = entries.map((entry) => {
        const separator = isEmpty ? '\n' : ',\n';
        isEmpty = false;
        return `${separator}${indent(toJson(entry))}`;
      });
      return `${begin}${texts.join('')}`;
    },
    end: (next) => `${isEmpty ? '' : '\n  '}],\n  "next": ${toJson(next ?? null)}\n}\n`,
  };
}

function indent(lines: string): string {
  return lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
