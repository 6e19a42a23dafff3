import type { Insights } from '../../client/types.ts';
import { deliveryRate, failureRate, percentText } from '../rules/rates.ts';
import type { Times } from '../rules/time-range.ts';
import type { Language } from '../rules/time-text.ts';
import { wordsOf } from '../viewer/catalogues.ts';

/** An element of the page with a class and children. */
function element(name: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

/** Returns a day as the page writes dates. The code of the page does that for times, and is not there yet. @param day yyyy-mm-dd */
const dateText = (day: string, language: Language) =>
  new Date(day).toLocaleDateString(language === 'en' ? 'en-GB' : language, {
    dateStyle: language === 'en' ? 'medium' : 'short',
    timeZone: 'UTC',
  });

/**
 * Writes the figures of the overview into the frame of the page. On a slow link the code that shows the page follows seconds later, and then
 * takes its place. The frame has them as the page will have them, without links.
 */
export function showFirstAnswer(
  { total }: Pick<Insights, 'total'>,
  { range, from, to }: Times,
  language: Language,
): void {
  const frame = document.querySelector('#frame');
  const place = document.querySelector('#first');
  const isPageThere = document.querySelector('main') !== null;
  if (frame === null || place === null || isPageThere || total.messages === 0) return;
  const { overview, figures, outcomes, time, states } = wordsOf(language);
  const tile = (count: number, label: string, share?: number) =>
    element(
      'li',
      'tile',
      element('span', 'tile-number', count.toLocaleString(language)),
      element('span', 'tile-name', label),
      element('span', 'tile-rate', share === undefined ? '' : percentText(share, language)),
    );
  const span =
    from === undefined
      ? time.ranges[range]
      : `${[from, to].flatMap((day) => (day ? [dateText(day, language)] : [])).join(' – ')} (UTC)`;
  place.querySelector('.frame-loading')?.replaceChildren(states.loading);
  place.prepend(
    element('p', 'first-title', `${overview.title}: ${span}`),
    element(
      'ul',
      'tiles',
      tile(total.messages, figures.messages),
      tile(total.delivered, outcomes.delivered, deliveryRate(total)),
      tile(total.failed, outcomes.failed, failureRate(total)),
      tile(total.pending, outcomes.pending),
    ),
    element('p', 'tiles-note', figures.rates),
  );
  // Until now a screen reader had nothing to read there.
  frame.removeAttribute('aria-hidden');
}

/** The page has the figures now. */
export function removeFirstAnswer(): void {
  document.querySelector('#first')?.remove();
}
