import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, Input, SearchField } from 'react-aria-components';
import type { SearchResults } from '../../client/types.ts';
import { mainSource } from '../../contract/events/source-id.ts';
import { search } from '../api/queries.ts';
import { Icon } from '../parts/icons.tsx';
import { useCause } from '../parts/notice.tsx';
import { NumberText } from '../parts/number-text.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { isMaskedId, shortId } from '../rules/ids.ts';
import { searchKind } from '../rules/search-kind.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';

type SearchResult = SearchResults['results'][number];

type State =
  | { readonly kind: 'typing' | 'searching' }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'found'; readonly results: readonly SearchResult[]; readonly number: string | null };

/** Returns the page of a result; undefined for a number that only the register of opt-outs has. No address has a number. */
function pageOf(result: SearchResult) {
  switch (result.kind) {
    case 'number':
    case 'reply':
      if (result.of === null) return undefined;
      return { to: '/conversations/$of', params: { of: result.of } } as const;
    case 'message':
      return { to: '/messages/$messageId', params: { messageId: result.messageId } } as const;
    case 'send':
      return { to: '/sends/$sendId', params: { sendId: result.sendId } } as const;
  }
}

/** One box for numbers, messages and sends. A single result opens at once. */
export function SearchBox() {
  const words = useWords();
  const cause = useCause();
  const { hasSlash } = usePreferences();
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [state, setState] = useState<State>({ kind: 'typing' });
  const [isOpen, setOpen] = useState(false);
  // Counts searches and changes of the text. A late answer to an older one is ignored.
  const newest = useRef(0);
  useShortcut(hasSlash, () => {
    input.current?.focus();
    input.current?.select();
  });

  const leave = () => {
    setOpen(false);
    setState({ kind: 'typing' });
    setText('');
  };
  const submit = async () => {
    if (searchKind(text) === 'empty') return;
    newest.current += 1;
    const own = newest.current;
    setOpen(true);
    setState({ kind: 'searching' });
    try {
      const { results, number } = await search(text);
      if (own !== newest.current) return;
      const [only] = results;
      const page = results.length === 1 && only && pageOf(only);
      if (!page) return setState({ kind: 'found', results, number });
      leave();
      await navigate(page);
    } catch (error) {
      if (own === newest.current) setState({ kind: 'failed', error: error as Error });
    }
  };
  const moveDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>('.search-results a')?.focus();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: the element "search" is too new for some screen readers.
    <div
      role="search"
      className="search"
      ref={box}
      onBlur={({ relatedTarget }) => {
        if (!box.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <SearchField
        aria-label={words.search.label}
        value={text}
        onChange={(next) => {
          newest.current += 1;
          setText(next);
          setState({ kind: 'typing' });
        }}
        onSubmit={() => void submit()}
        onClear={() => setOpen(false)}
        onFocus={() => setOpen(true)}
      >
        <Icon name="search" />
        <Input
          ref={input}
          placeholder={words.search.placeholder}
          autoComplete="off"
          spellCheck="false"
          onKeyDown={moveDown}
        />
        <Button className="icon-button" aria-label={words.search.clear}>
          <Icon name="close" />
        </Button>
        {hasSlash && text === '' && <kbd>/</kbd>}
      </SearchField>
      <div className="search-panel" hidden={!isOpen || searchKind(text) === 'empty'}>
        <p role="status">
          {hintOf(state, text, words.search)} {state.kind === 'failed' && cause(state.error)}
        </p>
        {state.kind === 'found' && state.results.length > 0 && (
          <ul className="search-results">
            {state.results.map((result) => (
              <li key={JSON.stringify(result)}>
                <Result result={result} onOpen={leave} />
              </li>
            ))}
          </ul>
        )}
        {state.kind === 'found' && state.results.length === 0 && mayBeginId(text) && (
          <Beginnings text={text.trim()} onOpen={leave} />
        )}
      </div>
    </div>
  );
}

/** A number does not belong into an address, and the server wants two characters. */
const mayBeginId = (text: string) =>
  searchKind(text) === 'id' && /^\S{2,200}$/.test(text.trim()) && !hasMasked(text);

/** Whether a part of a masked number or id was typed, which finds nothing. */
const hasMasked = (text: string) => text.includes('•') || isMaskedId(text);

/** Leads to the lists, which find an id by its beginning. */
function Beginnings({ text, onOpen }: { readonly text: string; readonly onOpen: () => void }) {
  const { beginning, beginningIn, beginningNote } = useWords().search;
  return (
    <>
      <p>{beginning}</p>
      <ul className="search-results">
        {(['failed', 'pending', 'unknown'] as const).map((state) => (
          <li key={state}>
            <Link
              className="search-result"
              to="/messages"
              search={{ state, id: text, range: state === 'pending' ? 'all' : '90d' }}
              onClick={onOpen}
            >
              {beginningIn[state](text)}
            </Link>
          </li>
        ))}
        <li>
          <Link
            className="search-result"
            to="/sends"
            search={{ name: `${text}*`, range: 'all' }}
            onClick={onOpen}
          >
            {beginningIn.sends(text)}
          </Link>
        </li>
      </ul>
      <p>{beginningNote}</p>
    </>
  );
}

function Result({ result, onOpen }: { readonly result: SearchResult; readonly onOpen: () => void }) {
  const words = useWords();
  const page = pageOf(result);
  const content = (
    <>
      <span className="search-kind">{words.search[result.kind]}</span>
      <span>{result.kind === 'number' ? <NumberText number={result.number} /> : shortId(idOf(result))}</span>
      <Facts result={result} />
      {result.kind === 'number' && result.optOut?.state === 'out' && (
        <strong className="search-out">{words.conversation.optedOut}</strong>
      )}
    </>
  );
  if (page === undefined) return <p className="search-result">{content}</p>;
  return (
    <Link {...page} className="search-result" onClick={onOpen}>
      {content}
    </Link>
  );
}

/** What distinguishes results with the same id. */
function Facts({ result }: { readonly result: SearchResult }) {
  const { sources } = useSession();
  if (result.kind === 'number') return null;
  const source = sources.length > 1 && <span>{result.source ?? mainSource}</span>;
  switch (result.kind) {
    case 'message':
      return (
        <span className="search-facts">
          {source}
          {result.phone !== null && <NumberText number={result.phone} />}
          <Status status={result.status} />
          <Time at={result.statusAt} />
        </span>
      );
    case 'reply':
      return (
        <span className="search-facts">
          {source}
          <NumberText number={result.from} />
          <Time at={result.occurredAt} />
        </span>
      );
    case 'send':
      return <span className="search-facts">{source}</span>;
  }
}

function idOf(result: Exclude<SearchResult, { readonly kind: 'number' }>): string {
  switch (result.kind) {
    case 'message':
      return result.messageId;
    case 'reply':
      return result.replyId;
    case 'send':
      return result.sendId;
  }
}

function hintOf(state: State, text: string, words: ReturnType<typeof useWords>['search']): string {
  if (state.kind === 'searching') return words.searching;
  if (state.kind === 'failed') return words.failed;
  if (state.kind === 'found' && state.results.length === 0) {
    if (state.number !== null) return words.noneOf(state.number);
    if (hasMasked(text)) return words.masked;
    return searchKind(text) === 'number' ? words.notNumber : words.none;
  }
  if (state.kind === 'found') return state.results.length === 1 ? words.one : words.several;
  return searchKind(text) === 'number' ? words.hintNumber : words.hintId;
}

/** Calls back for the key "/" outside of fields, and for Control or Command with K everywhere. */
function useShortcut(hasSlash: boolean, onShortcut: () => void) {
  const callback = useRef(onShortcut);
  callback.current = onShortcut;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isField =
        event.target instanceof Element && event.target.closest('input, select, textarea') !== null;
      const isSlash =
        hasSlash && event.key === '/' && !isField && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isK) return;
      event.preventDefault();
      callback.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [hasSlash]);
}
