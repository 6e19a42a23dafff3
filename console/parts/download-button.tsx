import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { ListSource } from '../api/queries.ts';
import { type ReadEntries, readAll } from '../api/read-all.ts';
import { csvText, downloadName, inZone } from '../rules/csv.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';
import { type Column, sourceColumn } from './column.tsx';
import { Icon } from './icons.tsx';

/** A file in the browser is one text in memory, and each page is one request. */
const maxRows = 10_000;

interface DownloadButtonProps<T extends object> {
  readonly name: string;
  /** What else is in the name of the file, such as the range. */
  readonly about?: string | undefined;
  readonly source: ListSource;
  readonly columns: readonly Column<T>[];
  /** Which entries the file has, where the query API has no such filter. */
  readonly keep?: (entry: T) => boolean;
  /** The order of the rows, where it is not that of the query API. */
  readonly order?: ((one: T, other: T) => number) | undefined;
  /** The text of the button. */
  readonly label?: string;
}

/** Downloads a list with its filters as CSV. Only those who see or may see whole numbers may download; the file has them as the page has. */
export function DownloadButton<T extends object>({
  source,
  keep,
  order,
  columns,
  ...button
}: DownloadButtonProps<T>) {
  const { canReveal, masked, sources } = useSession();
  if (masked && !canReveal) return null;
  return (
    <CsvButton
      {...button}
      columns={sources.length > 1 ? [...columns, sourceColumn] : columns}
      read={async (onProgress) => {
        const { entries, isPartial } = await readAll<T>(source, { keep, max: maxRows, onProgress });
        return { entries: order === undefined ? entries : entries.toSorted(order), isPartial };
      }}
      command={commands[source.path] ?? 'sms message export'}
    />
  );
}

/** The commands that write whole lists. Messages and replies have one together. */
const commands: Readonly<Record<string, string>> = {
  '/v1/opt-outs': 'sms opt-out list --all --csv',
  '/v1/quarantine': 'sms quarantine list --all --csv',
  '/v1/sends': 'sms send list --all --csv',
};

interface CsvButtonProps<T> extends Pick<DownloadButtonProps<object>, 'name' | 'about' | 'label'> {
  readonly columns: readonly Pick<Column<T>, 'id' | 'csv'>[];
  readonly read: (onProgress: (count: number) => void) => Promise<ReadEntries<T>>;
  /** What writes all entries where the file has only a part. */
  readonly command?: string;
}

/** The columns of counts and prices; all other cells of a workbook are texts. */
const amounts: ReadonlySet<string> = new Set([
  'messages',
  'delivered',
  'failed',
  'pending',
  'replies',
  'optOuts',
  'medianMs',
  'p95Ms',
  'segments',
  'price',
  'pricedMessages',
]);

const forms = ['csv', 'xlsx'] as const;
type Form = (typeof forms)[number];

/** Downloads entries as CSV, or as a workbook for spreadsheets. */
export function CsvButton<T>({ name, about, label, columns, read, command }: CsvButtonProps<T>) {
  const { list } = useWords();
  const { timeZone } = usePreferences();
  const [running, setRunning] = useState<{ readonly form: Form; readonly count: number }>();
  const [outcome, setOutcome] = useState('');
  const download = async (form: Form) => {
    setOutcome('');
    setRunning({ form, count: 0 });
    try {
      const { entries, isPartial } = await read((count) => setRunning({ form, count }));
      const texts = columns.flatMap(({ id, csv }) => (csv ? [{ id, csv }] : []));
      const rows = [texts.map(({ id }) => id), ...entries.map((entry) => texts.map(({ csv }) => csv(entry)))];
      save(downloadName([name, about], Date.now(), form), await fileOf(rows, form, timeZone));
      if (isPartial) setOutcome(list.downloadPartial(entries.length, command ?? ''));
    } catch {
      setOutcome(list.downloadFailed);
    } finally {
      setRunning(undefined);
    }
  };
  const labels = { csv: label ?? list.download, xlsx: list.downloadXlsx };
  return (
    <span className="download">
      <span role="status">{outcome}</span>
      {forms.map((form) => (
        // A disabled button would lose the focus.
        <Button
          className="button quiet"
          isPending={running !== undefined}
          onPress={() => void download(form)}
          key={form}
        >
          <Icon name="download" />
          {running?.form === form ? list.downloading(running.count) : labels[form]}
        </Button>
      ))}
    </span>
  );
}

async function fileOf(rows: readonly (readonly string[])[], form: Form, zone: 'UTC' | undefined) {
  if (form === 'csv') return new Blob([csvText(rows, zone)], { type: 'text/csv;charset=utf-8' });
  const { xlsxFile, xlsxType } = await import('../rules/xlsx.ts');
  return new Blob([xlsxFile(inZone(rows, zone), amounts)], { type: xlsxType });
}

function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
