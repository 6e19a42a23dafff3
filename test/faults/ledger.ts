/**
 * What was acknowledged, and so has to be found: by the ids of the cell that sent it, which all begin with `<cell>.`.
 */
export class Ledger {
  /** Statuses reported of each message. */
  readonly reports = new Map<string, Set<string>>();
  /** Numbers that replied STOP, by the reply's id. */
  readonly stops = new Map<string, string>();
  /** Ids of messages that were reported with a wrong signature: never to be in history, once each in quarantine. */
  readonly forged = new Set<string>();
  /** Words by which bodies are told that no contract maps: once each in quarantine. */
  readonly unreadable = new Set<string>();
  /** Keys of items that the publisher cannot read: their ids are set aside. */
  readonly strayItems = new Set<string>();
  /** Ids of saved cards that have expired. */
  readonly cards = new Set<string>();
  #lastId = 0;
  #lastNumber = 0;

  /** An id that no other has, and that tells the cell. */
  newId(cell: string): string {
    this.#lastId += 1;
    return `${cell}.${this.#lastId}`;
  }

  /** A fictitious number that no other reply comes from. */
  newNumber(): string {
    this.#lastNumber += 1;
    return `+1202555${String(this.#lastNumber).padStart(4, '0')}`;
  }

  acknowledged(messageId: string, status: string): void {
    const statuses = this.reports.get(messageId) ?? new Set();
    this.reports.set(messageId, statuses.add(status));
  }

  /** How much of a cell was acknowledged or otherwise has to be found. */
  count(cell: string): number {
    const reports = [...this.reports].filter(([id]) => cellOf(id) === cell);
    const others = [...this.stops.keys(), ...this.forged, ...this.unreadable, ...this.strayItems];
    return (
      reports.reduce((sum, [, { size }]) => sum + size, 0) + others.filter((id) => cellOf(id) === cell).length
    );
  }
}

/** The cell that an id belongs to. */
export function cellOf(id: string): string {
  return id.split('.')[0] ?? '';
}
