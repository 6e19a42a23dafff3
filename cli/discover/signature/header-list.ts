/**
 * The texts that may part the entries of a header, likeliest first. Where a comma or semicolon has a blank behind it, the
 * blank belongs to it.
 */
export function separatorsIn(value: string): readonly string[] {
  const spaced = [', ', '; '].filter((separator) => value.includes(separator));
  return spaced.length > 0 ? spaced : [',', ';', ' '].filter((separator) => value.includes(separator));
}
