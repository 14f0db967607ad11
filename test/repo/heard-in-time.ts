// A rule of ours: a promise that is begun is heard of before anything else is waited for. What is rejected meanwhile is heard by nobody,
// and ends the process. Whoever begins something ahead gives it to Promise.all with what he waits for, or says at once what a
// rejection means to him: `.catch(() => undefined)` where the await that follows will tell.
import { ESLintUtils, type TSESTree } from '@typescript-eslint/utils'
import type { Type } from 'typescript'

type Node = TSESTree.Node
const begins = new Set(['CallExpression', 'NewExpression', 'ConditionalExpression', 'LogicalExpression', 'ImportExpression'])
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'Program'])

const functionOf = (node: Node): Node => {
  let at: Node = node
  while (!functions.has(at.type)) at = at.parent!
  return at
}
/** Of a union any. Promises that are kept somewhere else have another type. */
const isPromise = (type: Type): boolean => (type.isUnion() ? type.types.some(isPromise) : type.symbol?.name === 'Promise')

/** `new Promise((resolve) => …)` and `….catch(…)`: nothing is rejected that nobody hears. */
const isHarmless = (init: TSESTree.Expression): boolean =>
  (init.type === 'NewExpression' && init.arguments[0]?.type === 'ArrowFunctionExpression' && init.arguments[0].params.length < 2) ||
  (init.type === 'CallExpression' && init.callee.type === 'MemberExpression' && init.callee.property.type === 'Identifier' && init.callee.property.name === 'catch')

export const heardInTime = ESLintUtils.RuleCreator.withoutDocs({
  meta: {
    type: 'problem',
    schema: [],
    messages: { late: 'Something else is awaited (line {{ line }}) before anybody hears of what {{ name }} rejects: that would end the process.' },
  },
  defaultOptions: [],
  create(context) {
    const services = ESLintUtils.getParserServices(context)
    /** Function → where it awaits. */
    const awaits = new Map<Node, Node[]>()
    const begun: { readonly declarator: TSESTree.VariableDeclarator; readonly id: TSESTree.Identifier }[] = []
    const awaited = (node: Node): void => {
      const of = functionOf(node)
      awaits.set(of, [...(awaits.get(of) ?? []), node])
    }
    return {
      AwaitExpression: awaited,
      'ForOfStatement[await=true]': awaited,
      VariableDeclarator(declarator: TSESTree.VariableDeclarator) {
        const { id, init } = declarator
        if (init === null || id.type !== 'Identifier' || !begins.has(init.type) || isHarmless(init)) return
        if (isPromise(services.getTypeAtLocation(init))) begun.push({ declarator, id })
      },
      'Program:exit'() {
        for (const { declarator, id } of begun) {
          const [variable] = context.sourceCode.getDeclaredVariables(declarator)
          const uses = (variable?.references ?? []).map(({ identifier }) => identifier.range[0]).filter((at) => at > declarator.range[1])
          const first = Math.min(...uses)
          const between = (awaits.get(functionOf(declarator)) ?? []).find(({ range }) => range[0] > declarator.range[1] && range[1] <= first && first < Infinity)
          if (between !== undefined) context.report({ node: declarator, messageId: 'late', data: { name: id.name, line: String(between.loc.start.line) } })
        }
      },
    }
  },
})
