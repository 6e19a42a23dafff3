import type { KeywordList } from '../../functions/history/shapes.ts';
import { readKeywordsFile, standardKeywords, validKeywords } from '../keywords/keywords-file.ts';

/** The words of replies that opt out, opt in or ask for help. docs/guides/automations/opt-out.md describes the file. */
export class Keywords {
  /** The words of the package, in the languages of most countries. */
  static standard(): Keywords {
    return new Keywords(standardKeywords());
  }

  /**
   * Reads a keywords file. An error names every wrong path and what was expected there.
   *
   * @param path relative to the folder that `cdk` runs in
   */
  static fromFile(path: string): Keywords {
    return Keywords._fromFile(path, 'Keywords.fromFile');
  }

  /** Keywords as data. An error names every wrong path and what was expected there. */
  static fromObject(document: { [key: string]: unknown }): Keywords {
    return new Keywords(validKeywords(document, 'Keywords.fromObject'));
  }

  /** @internal */
  static _fromFile(path: string, namedBy: string): Keywords {
    return new Keywords(readKeywordsFile(path, namedBy));
  }

  /**
   * The words in the form in which they are compared.
   *
   * @internal
   */
  readonly _list: KeywordList;

  private constructor(list: KeywordList) {
    this._list = list;
  }
}
