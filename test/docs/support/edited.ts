import ts from 'typescript';

/** Whether a block shows a file in part: the rest stays as it is. */
export const isEdit = (text: string): boolean => /\/\/ …/.test(text);

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A file after the edit that a block shows: imports are added, and the members of an exported object take the place of those
 * of the same name, at any depth.
 */
export function edited(file: string, block: string): string {
  const parse = (text: string) => ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const [before, change] = [parse(file), parse(block)];
  const known = new Set(importsOf(before));
  const added = importsOf(change).filter((text) => !known.has(text));
  const objects = objectsOf(before);
  const cuts = [...objectsOf(change)].flatMap(([name, object]) => {
    const old = objects.get(name);
    if (!old) throw new Error(`There is no exported object ${name} to edit.`);
    return cutsFor(old, object);
  });
  const body = cuts
    .sort((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), file);
  return [...added, body].join('\n');
}

function cutsFor({ properties }: ts.ObjectLiteralExpression, change: ts.ObjectLiteralExpression): readonly Cut[] {
  return change.properties.flatMap((member): readonly Cut[] => {
    const old = properties.find((one) => nameOf(one) === nameOf(member));
    const [inner, innerChange] = [old && objectIn(old), objectIn(member)];
    if (inner && innerChange) return cutsFor(inner, innerChange);
    const text = member.getText();
    if (old) return [{ from: old.getStart(), to: old.end, text }];
    const comma = properties.hasTrailingComma || properties.length === 0 ? '' : ',';
    return [{ from: properties.end, to: properties.end, text: `${comma}\n  ${text},` }];
  });
}

const objectIn = (member: ts.ObjectLiteralElementLike): ts.ObjectLiteralExpression | undefined =>
  ts.isPropertyAssignment(member) && ts.isObjectLiteralExpression(member.initializer) ? member.initializer : undefined;

const importsOf = (source: ts.SourceFile): string[] =>
  source.statements.filter(ts.isImportDeclaration).map((node) => node.getText());

const nameOf = (member: ts.ObjectLiteralElementLike): string => member.name?.getText() ?? member.getText();

/** The exported object literals, by name. */
function objectsOf(source: ts.SourceFile): ReadonlyMap<string, ts.ObjectLiteralExpression> {
  const declarations = source.statements
    .filter(ts.isVariableStatement)
    .flatMap((one) => [...one.declarationList.declarations]);
  return new Map(
    declarations.flatMap(({ name, initializer }) => {
      const object = initializer && ts.isSatisfiesExpression(initializer) ? initializer.expression : initializer;
      return object && ts.isObjectLiteralExpression(object) ? [[name.getText(), object] as const] : [];
    }),
  );
}
