import { posix } from 'node:path';
import ts from 'typescript';

/** The folders whose sources are expected to have a test at the mirrored place. */
export const sourceFolders = ['bin', 'cli', 'client', 'console', 'contract', 'functions', 'lib', 'local'];

export const listName = 'tools/check/without-own-test.txt';

/** Names that many folders have: a test named for the folder is a test of such a file too. */
const namesOfRoles = new Set(['api', 'control-endpoint', 'handler', 'index', 'resources', 'service']);

/** Whether a source defines a function or a class with code at its top level; types, constants and re-exports are not logic. */
export function hasLogic(path: string, text: string): boolean {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return statements.some((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.body !== undefined;
    if (ts.isClassDeclaration(statement)) return hasCode(statement);
    if (!ts.isVariableStatement(statement)) return false;
    return statement.declarationList.declarations.some(
      ({ initializer }) => initializer !== undefined && isCode(initializer),
    );
  });
}

function isCode(expression: ts.Expression): boolean {
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression)
  )
    return isCode(expression.expression);
  if (ts.isClassExpression(expression)) return hasCode(expression);
  return ts.isArrowFunction(expression) || ts.isFunctionExpression(expression);
}

function hasCode({ members }: ts.ClassLikeDeclaration): boolean {
  return members.some((member) => {
    if (ts.isPropertyDeclaration(member))
      return member.initializer !== undefined && isCode(member.initializer);
    if (ts.isClassStaticBlockDeclaration(member)) return true;
    return (
      (ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member) || ts.isAccessor(member)) &&
      member.body !== undefined
    );
  });
}

/**
 * Whether a source has a test of its own: at the mirrored place under test/unit/, or anywhere under test/infra/ or test/local/ by the same name.
 * @param path of the source, from the project's folder
 */
export function hasOwnTest(path: string, tests: ReadonlySet<string>): boolean {
  const directory = posix.dirname(path);
  const name = posix.basename(path, '.ts');
  const folder = posix.basename(directory);
  const isRole = namesOfRoles.has(name);
  const mirrored = [`${directory}/${name}`, ...(isRole ? [directory, `${directory}/${folder}`] : [])];
  if (
    mirrored.some(
      (place) => tests.has(`test/unit/${place}.test.ts`) || tests.has(`test/unit/${place}.io.test.ts`),
    )
  )
    return true;
  const elsewhere = new RegExp(`^test/(infra|local)/(.*/)?${isRole ? folder : name}\\.test\\.ts$`);
  return [...tests].some((test) => elsewhere.test(test));
}

/** A tree of files, by their paths from the project's folder. */
export interface Tree {
  /** The text of each source. */
  readonly sources: ReadonlyMap<string, string>;
  readonly tests: ReadonlySet<string>;
}

/**
 * Compares a tree with the agreed list of sources that have logic and no test of their own.
 *
 * @param writes whether the list may be shortened
 * @returns what to print, whether it is a failure, and the new list if it is to be written
 */
export function judge({ sources, tests }: Tree, list: readonly string[], writes: boolean) {
  const withLogic = [...sources].filter(([path, text]) => hasLogic(path, text)).map(([path]) => path);
  const withoutTest = withLogic.filter((path) => !hasOwnTest(path, tests)).sort();
  const missing = withoutTest.filter((path) => !list.includes(path));
  const outdated = writes ? [] : list.filter((path) => !withoutTest.includes(path));
  const lines = [
    `${withLogic.length} sources with logic, ${withoutTest.length} without a test of their own.`,
  ];
  if (missing.length > 0)
    lines.push(
      'These sources have logic and no test of their own:',
      ...missing.map((path) => `  ${path}`),
      'Write a test at the mirrored place, for example',
      `  ${missing[0]?.replace(/^(.*)\.ts$/, 'test/unit/$1.test.ts')}`,
      `or, if tests of other files cover it, name it in ${listName}, and the reason in the commit`,
    );
  if (outdated.length > 0)
    lines.push(
      `${listName} names sources that have got their test, lost their logic or are gone:`,
      ...outdated.map((path) => `  ${path}`),
      'Remove them: node tools/check/check-mirror.ts --write',
    );
  const newList = withoutTest.filter((path) => !missing.includes(path));
  return { lines, isFailure: missing.length + outdated.length > 0, ...(writes && { newList }) };
}
