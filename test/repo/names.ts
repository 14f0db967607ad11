import ts from 'typescript'
import { read } from './sources.ts'

export interface Name {
  readonly name: string
  readonly file: string
  readonly line: number
  /** What it names: fields may be those of somebody else's format. */
  readonly of: 'type' | 'value' | 'field'
  /** Not within a function or a class. */
  readonly isTop: boolean
  /** Declared with the type number. */
  readonly number: boolean
}

type Declaration = ts.Node & { readonly name?: ts.Node; readonly type?: ts.TypeNode }
const declarations = new Map<ts.SyntaxKind, Name['of']>([
  [ts.SyntaxKind.ClassDeclaration, 'type'],
  [ts.SyntaxKind.InterfaceDeclaration, 'type'],
  [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
  [ts.SyntaxKind.VariableDeclaration, 'value'],
  [ts.SyntaxKind.Parameter, 'value'],
  [ts.SyntaxKind.FunctionDeclaration, 'value'],
  [ts.SyntaxKind.PropertySignature, 'field'],
  [ts.SyntaxKind.PropertyDeclaration, 'field'],
  [ts.SyntaxKind.MethodSignature, 'field'],
  [ts.SyntaxKind.MethodDeclaration, 'field'],
  [ts.SyntaxKind.GetAccessor, 'field'],
])

const isTop = (node: ts.Node): boolean =>
  ts.findAncestor(node.parent, (each) => ts.isFunctionLike(each) || ts.isClassLike(each)) === undefined

/** Every name that a file declares; what it merely uses, or writes into somebody else's object, is theirs. */
export function namesIn(file: string, text = read(file)): Name[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const names: Name[] = []
  const visit = (node: Declaration): void => {
    const of = declarations.get(node.kind)
    if (of !== undefined && node.name !== undefined && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) {
      const line = source.getLineAndCharacterOfPosition(node.name.getStart(source)).line + 1
      names.push({ name: node.name.text, file, line, of, isTop: isTop(node), number: node.type?.kind === ts.SyntaxKind.NumberKeyword })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}
