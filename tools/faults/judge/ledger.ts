/**
 * The acknowledged requests, which must be found. Each id begins with `<cell>.`, the cell that sent the request.
 */
export class Ledger {
  /** Statuses reported of each message. */
  readonly reports = new Map<string, Set<string>>();
  /** Numbers by the id of their reply: of those that said STOP, and of those that said something else. */
  readonly stops = new Map<string, string>();
  readonly thanks = new Map<string, string>();
  /** Ids of messages that were reported with a wrong signature: never to be in history, once each in quarantine. */
  readonly forged = new Set<string>();
  /** Words that identify bodies that no contract maps; each is once in quarantine. */
  readonly unreadable = new Set<string>();
  /** Ids of messages whose items the publisher cannot read: their keys are set aside. */
  readonly strayItems = new Set<string>();
  /** Messages that the opt-out automation cannot read and abandons. */
  readonly noEvents = new Set<string>();
  /** Saved cards that have expired, by the id of the card. */
  readonly cards = new Map<string, string>();
  #lastId = 0;
  #lastNumber = 0;

  /** A unique id with the name of its cell. */
  newId(cell: string): string {
    this.#lastId += 1;
    return `${cell}.${this.#lastId}`;
  }

  /** A fictitious number that no other reply comes from: 555-0100 to 555-0199 of an area. */
  newNumber(): string {
    const area = areas[Math.floor(this.#lastNumber / 100)];
    if (area === undefined) throw new Error('more replies than there are fictitious numbers');
    const number = `+1${area}55501${String(this.#lastNumber % 100).padStart(2, '0')}`;
    this.#lastNumber += 1;
    return number;
  }

  acknowledged(messageId: string, status: string): void {
    const statuses = this.reports.get(messageId) ?? new Set();
    this.reports.set(messageId, statuses.add(status));
  }

  /** How much of a cell has to be found. */
  count(cell: string): number {
    const reports = [...this.reports].filter(([id]) => cellOf(id) === cell);
    const others = [
      ...[...this.stops.keys(), ...this.thanks.keys(), ...this.cards.values()],
      ...[...this.forged, ...this.unreadable, ...this.strayItems, ...this.noEvents],
    ];
    return (
      reports.reduce((sum, [, { size }]) => sum + size, 0) + others.filter((id) => cellOf(id) === cell).length
    );
  }
}

const areas = ['212', '213', '303', '305', '312', '404', '415', '503', '512', '617', '702', '713'];

/** The cell that an id belongs to. */
export function cellOf(id: string): string {
  return id.split('.')[0] ?? '';
}
