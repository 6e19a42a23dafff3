/** A library, a description or a page that a provider or a gateway in production publishes, in the version that a preset was compared with. */
export interface Source {
  readonly name: string;
  readonly from: 'npm' | 'PyPI' | 'GitHub' | 'documentation';
  /** The version of a package, or the commit of a repository. A page has none. */
  readonly version?: string;
  /** The date of the version, or the one on which the page was read. */
  readonly date: string;
}

/** The fields of one kind of body. Paths begin at one event. */
export interface PublishedFields {
  readonly of: 'report' | 'reply' | 'lookup';
  readonly source: Source;
  /** The models of the library for Python that have these fields, each as `module:Class`. The nightly run compares them. */
  readonly models?: readonly string[];
  /** The path of one event in a body. Left out if the body is the event. */
  readonly at?: string;
  /** The paths that the preset reads, by the field of the contract. */
  readonly read: Readonly<Record<string, readonly string[]>>;
  /** The paths that the preset does not read, by the reason. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
}

/** The words of an enumeration, or the codes of a list. */
export interface PublishedWords {
  /** `lookup statuses` are those of answers to lookups. */
  readonly of: 'statuses' | 'lookup statuses' | 'errors';
  readonly source: Source;
  /** The enumeration of the library for Python, as `module:Class` and the path of the field that has it. The nightly run compares it. */
  readonly model?: readonly [model: string, path: string];
  /** Words with a meaning in the preset. */
  readonly words: readonly string[];
  /** Words without a meaning in the preset, by the reason. */
  readonly leftOut?: Readonly<Record<string, readonly string[]>>;
}

/** What every preset has, or says why not. */
export const subjects = [
  'signature',
  'number format',
  'time zone',
  'parts',
  'media',
  'final flag',
  'reasons',
  'opt-out code',
  'retries',
  'probe',
] as const;

export type Subject = (typeof subjects)[number];

/** What a provider publishes about the requests and answers that presets read. */
export interface PublishedFacts {
  readonly presets: readonly string[];
  /** What verifies requests of our signer, or whose requests our verifier accepts. Left out if nothing could be had, or nothing is signed. */
  readonly signature?: readonly Source[];
  readonly fields: readonly PublishedFields[];
  readonly words: readonly PublishedWords[];
  /** What describes the API that registers the webhook. */
  readonly registration?: readonly Source[];
  /** Why the preset lacks a subject, by the subject. */
  readonly lacks: Partial<Readonly<Record<Subject, string>>>;
}
