export type StoredKey = 'theme' | 'language' | 'zone';

/** A browser may forbid storage. The preference then holds until the page is closed. */
export function stored(key: StoredKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: StoredKey, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The preference holds until the page is closed.
  }
}
