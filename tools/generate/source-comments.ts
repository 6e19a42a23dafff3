import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

/** A property of an interface or a constant object, as its source documents it. */
export interface DocumentedProperty {
  readonly name: string;
  /** Its comment without tags, on one line; empty without a comment. */
  readonly text: string;
  /** What `@see` names: a page below docs/, perhaps with an anchor. */
  readonly see: string | undefined;
  /** What `@default` says, on one line. */
  readonly preset: string | undefined;
  /** The text of its type; empty in an object. */
  readonly type: string;
}

/**
 * Reads the properties of each interface and each constant object of a file, in their order, by the name of the declaration. Those of an
 * interface of the same file that it extends come first.
 */
export function documentedProperties(file: string): ReadonlyMap<string, readonly DocumentedProperty[]> {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const own = new Map(source.statements.flatMap((statement) => declared(statement)));
  for (const statement of source.statements.filter(ts.isInterfaceDeclaration)) {
    const bases =
      statement.heritageClauses?.flatMap(({ types }) => types.map((base) => base.getText())) ?? [];
    const inherited = bases.flatMap((base) => own.get(base) ?? []);
    own.set(statement.name.text, [...inherited, ...(own.get(statement.name.text) ?? [])]);
  }
  return own;
}

function declared(statement: ts.Statement): [string, readonly DocumentedProperty[]][] {
  if (ts.isInterfaceDeclaration(statement))
    return [[statement.name.text, statement.members.flatMap((member) => documented(member))]];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const value = initializer && (ts.isAsExpression(initializer) ? initializer.expression : initializer);
    if (value === undefined || !ts.isObjectLiteralExpression(value)) return [];
    return [[name.getText(), value.properties.flatMap((property) => documented(property))] as const];
  }) as [string, readonly DocumentedProperty[]][];
}

function documented(node: ts.TypeElement | ts.ObjectLiteralElementLike): DocumentedProperty[] {
  if (node.name === undefined) return [];
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const tagNamed = (name: string) => comment?.tags?.find((tag) => tag.tagName.text === name);
  const see = tagNamed('see')?.getText();
  const preset = tagNamed('default')?.comment;
  return [
    {
      name: node.name.getText(),
      text: oneLine(ts.getTextOfJSDocComment(comment?.comment) ?? ''),
      see: see === undefined ? undefined : /docs\/\S+/.exec(see)?.[0],
      preset: preset === undefined ? undefined : oneLine(ts.getTextOfJSDocComment(preset) ?? ''),
      type: ts.isPropertySignature(node) ? (node.type?.getText() ?? '') : '',
    },
  ];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
