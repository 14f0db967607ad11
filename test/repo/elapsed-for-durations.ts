// A rule of ours: how long something takes, and when it is due, is measured by `clock.elapsed()`. The time of day, `clock.now()`, may be
// set back, and then what was to be over in a moment is over in an hour. It is for dates: written (`new Date(clock.now())`), compared with
// one that was read (`Date.parse`), or handed to whoever asks for `now`.
import { ESLintUtils, type TSESTree } from '@typescript-eslint/utils'

type Node = TSESTree.Node

const nameOf = (node: Node): string =>
  node.type === 'Identifier' || node.type === 'PrivateIdentifier'
    ? node.name
    : node.type === 'MemberExpression'
      ? nameOf(node.property)
      : ''

const isTimeOfDay = ({ callee }: TSESTree.CallExpression): boolean =>
  callee.type === 'MemberExpression' && nameOf(callee.property) === 'now' && /clock$/i.test(nameOf(callee.object))

/** What of an expression is a date that was read. */
const hasDate = (text: string): boolean => text.includes('Date.parse(')

export const elapsedForDurations = ESLintUtils.RuleCreator.withoutDocs({
  meta: {
    type: 'problem',
    schema: [],
    messages: { duration: 'The time of day may be set back: how long something takes is measured by elapsed().' },
  },
  defaultOptions: [],
  create(context) {
    const isOfDates = (call: Node, parent: Node): boolean => {
      if (parent.type === 'NewExpression') return nameOf(parent.callee) === 'Date'
      if (parent.type === 'Property') return nameOf(parent.key) === 'now'
      if (parent.type === 'BinaryExpression') return hasDate(context.sourceCode.getText(parent))
      return (
        parent.type === 'ArrowFunctionExpression' &&
        parent.body === call &&
        nameOf((parent.parent as TSESTree.Property).key ?? parent) === 'now'
      )
    }
    return {
      CallExpression(call: TSESTree.CallExpression) {
        if (isTimeOfDay(call) && !isOfDates(call, call.parent)) context.report({ node: call, messageId: 'duration' })
      },
    }
  },
})
