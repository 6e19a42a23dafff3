/** Whether a text can be a word of the service's own: short, a few words at most, and no number or address in it. */
export function isVocabulary(text: string): boolean {
  return text.length <= 64 && !/\d{7}|@/.test(text) && text.trim().split(/\s+/).length <= 5;
}
