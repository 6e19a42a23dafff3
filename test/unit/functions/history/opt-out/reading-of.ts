import { createStopHints } from '../../../../../functions/history/opt-out/keyword.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';

const mayMeanStop = createStopHints(keywordOf);

export type Reading = 'stop' | 'start' | 'help' | 'may mean stop' | 'nothing';

/** Returns how the shipped keywords read a reply. @param phone by default a number of the United States, which may use the words of all countries */
export function readingOf(text: string, phone = '+12025550143'): Reading {
  return keywordOf(text, phone) ?? (mayMeanStop(text) ? 'may mean stop' : 'nothing');
}
