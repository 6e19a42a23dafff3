import { UserError } from '../terminal/terminal.ts';

/** The setting that says how many processes functions have: `-c local:hosts=worker:1,ingest:2`. */
export const HOSTS = 'local:hosts';

/** How many processes functions may have at once, where a run was told. */
export class HostLimits {
  readonly #limits = new Map<string, number>();
  readonly #unknown = new Set<string>();

  /**
   * @param text `<function>:<number>`, parted by commas; undefined: nothing was told
   * @throws UserError
   */
  constructor(text: string | undefined) {
    for (const entry of text?.split(',') ?? []) {
      const [, label, number] = /^([\w-]+):([1-9]\d?)$/.exec(entry) ?? [];
      if (label === undefined) {
        throw new UserError(`${HOSTS} expects <function>:<1 to 99>, for example worker:1,ingest:2`);
      }
      this.#limits.set(label, Number(number));
      this.#unknown.add(label);
    }
  }

  /** @param label what the function is called for people */
  of(label: string): number | undefined {
    this.#unknown.delete(label);
    return this.#limits.get(label);
  }

  /** @throws UserError when there was no such function */
  requireFound(): void {
    for (const label of this.#unknown) throw new UserError(`${HOSTS}: there is no function ${label}`);
  }
}
