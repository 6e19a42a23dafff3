import type { Proof } from '../../client/proof.ts';
import { sanitize } from '../text/sanitize.ts';

const styles = `
  @page { margin: 14mm 12mm; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #162023; font: 14px/1.45 system-ui, sans-serif; }
  h1 { font-size: 20px; } h2 { margin: 1.4em 0 .4em; font-size: 15px; border-bottom: 1px solid #7b878b; } h3 { margin: 1em 0 .2em; font-size: 14px; }
  dl { display: grid; grid-template-columns: 12rem 1fr; gap: 2px 1rem; margin: 0; } dt { color: #52616a; } dd { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; margin: 0; overflow-wrap: anywhere; }
  dd span, .mark { color: #52616a; font-weight: 400; } dd span { font-size: 13px; } .mark { margin-left: .7em; }
  ul { margin: 0; padding-left: 1.2em; } section, .report { break-inside: avoid; } section.reports { break-inside: auto; } h2, h3 { break-after: avoid; }
  @media print { body { margin: 0; padding: 0; max-width: none; font-size: 11px; } h1 { font-size: 17px; } h2 { margin-top: 1em; font-size: 12px; } h3 { margin-top: .7em; font-size: 11.5px; } dd span { font-size: 10px; } }
`;

/** Writes a proof as a page that needs nothing else: without scripts, with its styles. */
export function proofHtml({ title, head, message, reportsTitle, reports, sections }: Proof): string {
  const blocks = [
    `<h1>${escaped(title)}</h1>`,
    factsHtml(head),
    sectionHtml(message.title, factsHtml(message.facts ?? [])),
    sectionHtml(
      reportsTitle,
      reports
        .map(({ title: name, mark, facts }, index) => {
          const shownMark = mark === undefined ? '' : `<span class="mark">${escaped(mark)}</span>`;
          return `<div class="report"><h3>${index + 1}. ${escaped(name)}${shownMark}</h3>${factsHtml(facts)}</div>`;
        })
        .join('\n'),
      ' class="reports"',
    ),
    ...sections.map(({ title: name, sentences }) =>
      sectionHtml(
        name,
        `<ul>${sentences.map((sentence) => `<li>${escaped(sentence)}</li>`).join('\n')}</ul>`,
      ),
    ),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
<body>
${blocks.join('\n')}
</body>
</html>
`;
}

function sectionHtml(title: string, content: string, attributes = ''): string {
  return `<section${attributes}><h2>${escaped(title)}</h2>\n${content}</section>`;
}

function factsHtml(facts: Proof['head']): string {
  const lines = facts.map(
    ({ name, value, note }) =>
      `<dt>${escaped(name)}</dt><dd><bdi>${escaped(value)}</bdi>${note === undefined ? '' : `<span>${escaped(note)}</span>`}</dd>`,
  );
  return `<dl>${lines.join('\n')}</dl>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes a text safe for HTML: services and persons wrote parts of it. */
function escaped(text: string): string {
  return sanitize(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
