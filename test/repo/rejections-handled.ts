// A rule of ours: a promise that is begun is heard of before anything else is waited for. What is rejected meanwhile is heard by nobody,
// and ends the process. Whoever begins something ahead gives it to Promise.all with what he waits for, or says at once what a
// rejection means to him: `.catch(() => undefined)` where the await that follows will tell.
import { ESLintUtils, type TSESTree } from '@typescript-eslint/utils'
import type { Type, TypeChecker, TypeReference } from 'typescript'

type Node = TSESTree.Node
const begins = new Set(['CallExpression', 'NewExpression', 'ConditionalExpression', 'LogicalExpression', 'ImportExpression'])
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'Program'])

const functionOf = (node: Node): Node => {
  let at: Node = node
  while (!functions.has(at.type)) at = at.parent!
  return at
}
/** Of a union any; a list of promises too. Promises that are kept somewhere else have another type. */
function isPromise(type: Type, checker: TypeChecker): boolean {
  if (type.isUnion()) return type.types.some((each) => isPromise(each, checker))
  const element = checker.isArrayType(type) ? checker.getTypeArguments(type as TypeReference)[0] : undefined
  return element === undefined ? type.symbol?.name === 'Promise' : isPromise(element, checker)
}

/** A variable that is given what was begun, from there on. */
interface Begun {
  readonly at: Node
  readonly id: TSESTree.Identifier
}

/** `new Promise((resolve) => …)` and `….catch(…)`: nothing is rejected that nobody hears. */
const isHarmless = (init: TSESTree.Expression): boolean =>
  (init.type === 'NewExpression' && init.arguments[0]?.type === 'ArrowFunctionExpression' && init.arguments[0].params.length < 2) ||
  (init.type === 'CallExpression' &&
    init.callee.type === 'MemberExpression' &&
    init.callee.property.type === 'Identifier' &&
    init.callee.property.name === 'catch')

export const rejectionsHandled = ESLintUtils.RuleCreator.withoutDocs({
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      late: 'Something else is awaited (line {{ line }}) before anybody hears of what {{ name }} rejects: that would end the process.',
    },
  },
  defaultOptions: [],
  create(context) {
    const services = ESLintUtils.getParserServices(context)
    /** Function → where it awaits. */
    const awaits = new Map<Node, Node[]>()
    const begun: Begun[] = []
    const begin = (at: Node, id: Node, init: TSESTree.Expression | null): void => {
      if (init === null || id.type !== 'Identifier' || !begins.has(init.type) || isHarmless(init)) return
      if (isPromise(services.getTypeAtLocation(init), services.program.getTypeChecker())) begun.push({ at, id })
    }
    /** Of what has its name there. */
    const usesOf = ({ at, id }: Begun): readonly number[] => {
      const scope = context.sourceCode.getScope(id)
      const variable =
        scope.references.find(({ identifier }) => identifier === id)?.resolved ?? context.sourceCode.getDeclaredVariables(at)[0]
      return (variable?.references ?? [])
        .filter((each) => each.isRead())
        .map(({ identifier }) => identifier.range[0])
        .filter((use) => use > at.range[1])
    }
    const awaited = (node: Node): void => {
      const of = functionOf(node)
      awaits.set(of, [...(awaits.get(of) ?? []), node])
    }
    return {
      AwaitExpression: awaited,
      'ForOfStatement[await=true]': awaited,
      VariableDeclarator: (declarator: TSESTree.VariableDeclarator) => begin(declarator, declarator.id, declarator.init),
      AssignmentExpression: (assignment: TSESTree.AssignmentExpression) => begin(assignment, assignment.left, assignment.right),
      'Program:exit'() {
        for (const each of begun) {
          const { at, id } = each
          const first = Math.min(...usesOf(each))
          const between = (awaits.get(functionOf(at)) ?? []).find(
            ({ range }) => range[0] > at.range[1] && range[1] <= first && first < Infinity,
          )
          if (between !== undefined)
            context.report({ node: at, messageId: 'late', data: { name: id.name, line: String(between.loc.start.line) } })
        }
      },
    }
  },
})
