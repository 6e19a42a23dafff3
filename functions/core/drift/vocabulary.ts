import { maskDigits } from '../alerts/mask-digits.ts';

/** One word: several may be what somebody wrote, where an expression of the contract is wrong. */
const word = /^[A-Za-z0-9._-]{1,40}$/;

/** Digits in a row from which on a text may be a phone number or say who somebody is, whatever stands between them. */
const fewestDigits = 4;

/** Whether a text reads like a word that a service has for something, and not like something about a person. */
export function looksLikeVocabulary(text: string): boolean {
  return word.test(text) && maskDigits(text, fewestDigits) === text;
}
