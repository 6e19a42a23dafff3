import type { ReactNode } from 'react';

interface BarRow {
  readonly key: string;
  readonly name: ReactNode;
  /** From 0 to 1, of the longest bar. */
  readonly share: number;
  /** The cells after the bar. */
  readonly cells: readonly ReactNode[];
  readonly outcome?: 'delivered' | 'failed' | undefined;
}

interface BarTableProps {
  readonly label: string;
  /** The headers of the name, and of each cell after the bar. */
  readonly headers: readonly string[];
  readonly rows: readonly BarRow[];
}

/** A table with a bar in each row: the numbers and their picture in one. The bar repeats a number, so screen readers skip it. */
export function BarTable({ label, headers, rows }: BarTableProps) {
  const [first, ...others] = headers;
  return (
    <table className="bar-table">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {others.map((header) => (
            <th scope="col" className="numeric" key={header}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, share, cells, outcome = 'delivered' }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              <span className="bar" aria-hidden="true">
                <span data-outcome={outcome} style={{ width: `${Math.max(share, 0.004) * 100}%` }} />
              </span>
            </th>
            {cells.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column.
              <td className="numeric" key={index}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
