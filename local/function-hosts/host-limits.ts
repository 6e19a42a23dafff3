import { UserError } from '../terminal/terminal.ts';

/** The setting that limits the processes of functions: `-c local:hosts=worker:1,ingest:2`. */
export const HOSTS = 'local:hosts';

/** The maximum number of concurrent processes of functions, as {@link HOSTS} sets it. */
export class HostLimits {
  readonly #limits = new Map<string, number>();
  readonly #unknown = new Set<string>();

  /**
   * @param text `<function>:<number>`, separated by commas; undefined sets no limits
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

  /** @param label the function's label */
  of(label: string): number | undefined {
    this.#unknown.delete(label);
    return this.#limits.get(label);
  }

  /** @throws UserError for a function that does not exist */
  requireFound(): void {
    for (const label of this.#unknown) throw new UserError(`${HOSTS}: there is no function ${label}`);
  }
}
