import { useState } from 'react';
import { Button } from 'react-aria-components';
import { type ListSource, listUrl, type Page } from '../api/queries.ts';
import { get } from '../api/request.ts';
import { csvText } from '../rules/csv.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';
import type { Column } from './column.ts';
import { Icon } from './icons.tsx';

/** A file in the browser is one text in memory, and each page is one request. */
const maxRows = 10_000;

interface DownloadButtonProps<T extends object> {
  readonly name: string;
  readonly source: ListSource;
  readonly columns: readonly Column<T>[];
  /** Which entries the file has, where the query API has no such filter. */
  readonly keep?: (entry: T) => boolean;
  /** The text of the button. */
  readonly label?: string;
}

/** Downloads a list with its filters as CSV. Only those who see or may see whole numbers may download. */
export function DownloadButton<T extends object>({
  name,
  source,
  columns,
  keep = () => true,
  label,
}: DownloadButtonProps<T>) {
  const words = useWords();
  const { timeZone } = usePreferences();
  const { canReveal, masked } = useSession();
  const [count, setCount] = useState<number>();
  const [outcome, setOutcome] = useState('');
  if (masked && !canReveal) return null;
  const download = async () => {
    setOutcome('');
    setCount(0);
    try {
      const { entries, isPartial } = await readAll<T>(source, keep, setCount);
      save(
        `${name}.csv`,
        csvText(
          [columns.map(({ id }) => id), ...entries.map((entry) => columns.map(({ text }) => text(entry)))],
          timeZone,
        ),
      );
      if (isPartial) setOutcome(words.list.downloadPartial(entries.length));
    } catch {
      setOutcome(words.list.downloadFailed);
    } finally {
      setCount(undefined);
    }
  };
  return (
    <span className="download">
      <span role="status">{outcome}</span>
      {/* A disabled button would lose the focus. */}
      <Button className="button quiet" isPending={count !== undefined} onPress={() => void download()}>
        <Icon name="download" />
        {count === undefined ? (label ?? words.list.download) : words.list.downloading(count)}
      </Button>
    </span>
  );
}

async function readAll<T>(
  source: ListSource,
  keep: (entry: T) => boolean,
  onProgress: (count: number) => void,
) {
  const entries: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await get<Page<T>>(listUrl(source, cursor));
    entries.push(...page.entries.filter(keep));
    onProgress(entries.length);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && entries.length < maxRows);
  return { entries: entries.slice(0, maxRows), isPartial: cursor !== undefined || entries.length > maxRows };
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
