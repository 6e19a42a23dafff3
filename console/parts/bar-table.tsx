import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { useWords } from '../viewer/preferences.tsx';

interface BarRow {
  readonly key: string;
  readonly name: ReactNode;
  /** From 0 to 1, of the longest bar. */
  readonly share: number;
  /** The cells after the bar. */
  readonly cells: readonly ReactNode[];
  readonly outcome?: 'delivered' | 'failed' | undefined;
}

/** Rows beyond this are shown when the viewer asks. */
const firstRows = 8;

interface BarTableProps {
  readonly label: string;
  /** The headers of the name, and of each cell after the bar. */
  readonly headers: readonly string[];
  readonly rows: readonly BarRow[];
}

/** The head of a table of counts. @param headers of the name, and of each column of numbers */
export function CountsHead({ headers: [first, ...others] }: Pick<BarTableProps, 'headers'>) {
  return (
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
  );
}

/** A table with a bar in each row: the numbers and their picture in one. The bar repeats a number, so screen readers skip it. */
export function BarTable({ label, headers, rows }: BarTableProps) {
  const { overview } = useWords();
  const [hasAll, setAll] = useState(false);
  const shown = hasAll ? rows : rows.slice(0, firstRows);
  return (
    <>
      <table className="bar-table">
        <caption className="visually-hidden">{label}</caption>
        <CountsHead headers={headers} />
        <tbody>
          {shown.map(({ key, name, share, cells, outcome = 'delivered' }) => (
            <tr key={key}>
              <th scope="row">
                {name}
                <span className="bar" aria-hidden="true">
                  <span
                    data-outcome={outcome}
                    style={{ width: share === 0 ? 0 : `${Math.max(share, 0.004) * 100}%` }}
                  />
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
      {shown.length < rows.length && (
        <Button className="button quiet" onPress={() => setAll(true)}>
          {overview.all(rows.length)}
        </Button>
      )}
    </>
  );
}
