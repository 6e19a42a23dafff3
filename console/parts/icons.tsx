const paths = {
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4 14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  open: 'M8 4.5V8l2.5 1.5M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z',
  question: 'M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.9v.2',
  help: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM6.6 6.7a1.5 1.5 0 1 1 2.1 1.4c-.5.2-.7.5-.7 1M8 11v.1',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  display: 'M8 2.5a5.5 5.5 0 1 0 0 11ZM8 2.5a5.5 5.5 0 0 1 0 11',
  alert: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.2',
  failures: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM6 6l4 4M10 6l-4 4',
  pending: 'M4.5 2.5h7M4.5 13.5h7M5.5 2.5c0 3 5 4 5 5.5s-5 2.5-5 5.5M10.5 2.5c0 3-5 4-5 5.5s5 2.5 5 5.5',
  replies: 'M2.5 3.5h11v7H7l-3 2.5v-2.5H2.5z',
  optOuts: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM4.2 4.2l7.6 7.6',
  quarantine: 'M2.5 5 8 2.5 13.5 5v6L8 13.5 2.5 11zM2.5 5 8 7.5 13.5 5M8 7.5v6',
  health: 'M1.5 8.5h3l1.5-4 3 7 1.5-3h4',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
  overview: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  same: 'M3 6h10M3 10h10',
  providers: 'M3 4h4v8H3zM9 7h4v5H9z',
  send: 'M2.5 8 13.5 3l-3 10.5-3-4z',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a text. Screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
