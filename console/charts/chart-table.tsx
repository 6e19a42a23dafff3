import { useWords } from '../viewer/preferences.tsx';

interface ChartTableProps {
  readonly label: string;
  readonly headers: readonly string[];
  /** The first cell of a row is its name. */
  readonly rows: readonly (readonly string[])[];
}

/** The numbers of charts as a table, which opens below them. */
export function ChartTable({ label, headers, rows }: ChartTableProps) {
  const { charts } = useWords();
  return (
    <details className="chart-table">
      <summary>{charts.table}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which a keyboard needs a stop for. */}
      <section aria-label={label} tabIndex={0}>
        <table>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              {headers.map((header) => (
                <th scope="col" key={header}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column.
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
