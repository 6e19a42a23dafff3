import type { Context, Terminal } from '../target/context.ts';
import { toJson } from '../text/sanitize.ts';
import { createStyle, type Page } from '../text/table.ts';

/** What rendering for people depends on. */
export interface View extends Page {
  /** IANA name of the time zone. */
  readonly zone: string;
  /** Whether numbers are shown in full. */
  readonly reveal: boolean;
}

/** One result, for machines and for people. */
export interface Result {
  readonly json: () => unknown;
  /** Without the line break at the end. */
  readonly text: (view: View) => string;
}

/** How a terminal wants what is rendered for people. */
export function viewOf({ colour, columns, zone }: Terminal, reveal: boolean): View {
  return { style: createStyle(colour), columns, zone, reveal };
}

/** Writes a command's result to stdout, as JSON or as text. */
export function printResult(
  { terminal }: Context,
  { json = false, reveal = false }: { readonly json?: boolean; readonly reveal?: boolean },
  result: Result,
): void {
  terminal.out(`${json ? toJson(result.json()) : result.text(viewOf(terminal, reveal))}\n`);
}
