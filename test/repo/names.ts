import ts from 'typescript'
import { read } from './sources.ts'

export interface Name {
  readonly name: string
  readonly file: string
  readonly line: number
  /** A class, interface or type. */
  readonly type: boolean
  /** Declared with the type number. */
  readonly number: boolean
}

type Declaration = ts.Node & { readonly name?: ts.Node; readonly type?: ts.TypeNode }
const types = [ts.SyntaxKind.ClassDeclaration, ts.SyntaxKind.InterfaceDeclaration, ts.SyntaxKind.TypeAliasDeclaration]
const others = [
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.PropertySignature,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.GetAccessor,
]

/** Every name that a file declares; what it merely uses, or writes into somebody else's object, is theirs. */
export function namesIn(file: string, text = read(file)): Name[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const names: Name[] = []
  const visit = (node: Declaration): void => {
    const type = types.includes(node.kind)
    if ((type || others.includes(node.kind)) && node.name !== undefined && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) {
      const line = source.getLineAndCharacterOfPosition(node.name.getStart(source)).line + 1
      names.push({ name: node.name.text, file, line, type, number: node.type?.kind === ts.SyntaxKind.NumberKeyword })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}
