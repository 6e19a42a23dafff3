/** A set of keys of any size. A `Set` has at most 16,777,216 entries. */
export class KeySet {
  readonly #maxSize: number;
  readonly #sets: Set<string>[] = [new Set()];

  /** @param maxSize of each of its sets */
  constructor(maxSize = 2 ** 24) {
    this.#maxSize = maxSize;
  }

  add(key: string): void {
    const last = this.#sets.at(-1);
    if (last !== undefined && last.size < this.#maxSize) last.add(key);
    else this.#sets.push(new Set([key]));
  }

  has(key: string): boolean {
    return this.#sets.some((set) => set.has(key));
  }
}
