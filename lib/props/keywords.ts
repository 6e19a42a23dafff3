import type { KeywordList } from '../../functions/history/shapes.ts';
import standardKeywords from '../../keywords.json' with { type: 'json' };
import { readKeywordsFile, validKeywords } from './keywords-file.ts';

/** The words of replies that opt out, opt in or ask for help. docs/guides/automations/opt-out.md describes the file. */
export class Keywords {
  /** The words in the form in which they are compared. */
  readonly list: KeywordList;

  /** The words of the package, in the languages of most countries. */
  static standard(): Keywords {
    return new Keywords(validKeywords(standardKeywords, 'keywords.json'));
  }

  /**
   * Reads a keywords file.
   *
   * @param path relative to the folder that `cdk` runs in
   * @param namedBy what names the file, for messages
   * @throws KeywordsFileError naming every wrong path and what was expected there
   */
  static fromFile(path: string, namedBy = 'Keywords.fromFile'): Keywords {
    return new Keywords(readKeywordsFile(path, namedBy));
  }

  /**
   * Keywords as data.
   *
   * @throws KeywordsFileError naming every wrong path and what was expected there
   */
  static fromObject(document: Readonly<Record<string, unknown>>): Keywords {
    return new Keywords(validKeywords(document, 'Keywords.fromObject'));
  }

  private constructor(list: KeywordList) {
    this.list = list;
  }
}
