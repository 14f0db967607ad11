// The rights of webhooks and workers stand in the chart by hand, each with its reason: held to the tables of what these processes follow
// and write, so that a kind that is new to one of them is not forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { allKinds, definitionOf, groupOf, isOwnKind, pluralOf, type Kind, type OwnKind } from '../../core/kinds/index.ts'
import { cachedKinds } from '../../platform/cache/caches.ts'
import { networkViewKinds } from '../../platform/cache/network-view.ts'
import { rows } from '../../workers/controllers/index.ts'
import { read } from './sources.ts'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}
const text = read('charts/megrez/templates/rbac.yaml')

/** Of a part of the template: from one text to another, without those that are for single objects. */
function rulesIn(from: string, to: string): readonly Rule[] {
  const begin = text.indexOf(from)
  const end = text.indexOf(to, begin)
  assert.ok(begin >= 0 && end > begin, `${from} … ${to}`)
  const lines = text.slice(begin, end).match(/^ *- \{.*\}$/gm) ?? []
  return lines
    .flatMap((line) => parse(line) as Rule[])
    .filter(({ verbs, resourceNames }) => (verbs as unknown) !== undefined && resourceNames === undefined)
}
/** `group/resource` of those that have all of these verbs. */
const withVerbs = (rules: readonly Rule[], ...verbs: readonly string[]): string[] =>
  [
    ...new Set(
      rules
        .filter((rule) => verbs.every((verb) => rule.verbs.includes(verb)))
        .flatMap(({ apiGroups, resources }) => apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`))),
    ),
  ].sort()
const named = (kinds: readonly Kind[], part = ''): string[] => kinds.map((kind) => `${groupOf(kind)}/${pluralOf(kind)}${part}`).sort()

const ownKinds = allKinds.filter((kind): kind is OwnKind => isOwnKind(kind))
const readRules = rulesIn('{{- define "megrez.reads" -}}', '{{- end }}')
const onlyAdmission = rulesIn('# What pods are judged by', '{{- end }}')
const forCallers = rulesIn("# On behalf of REST's callers.", '# Who calls, and whether the caller may.')
const workers = rulesIn('name: megrez-workers\n  labels', '{{- define "megrez.reads" -}}')

test('workers, and webhooks with REST, follow just the kinds that there are caches of', () => {
  assert.deepEqual(withVerbs(readRules, 'get', 'list', 'watch'), named(cachedKinds))
})

test('webhooks without REST follow just the kinds that admission is answered from', () => {
  assert.deepEqual(withVerbs(onlyAdmission, 'list', 'watch'), named(networkViewKinds))
})

test("on behalf of REST's callers webhooks write every kind of ours that is not internal", () => {
  const offered = ownKinds.filter((kind) => !definitionOf(kind).internal)
  assert.deepEqual(
    withVerbs(forCallers, 'create', 'patch', 'delete').filter((each) => each.startsWith('megrez.io/')),
    named(offered),
  )
})

test('workers report on every kind of ours, and change and delete those that they have a row for', () => {
  assert.deepEqual(
    withVerbs(workers, 'patch').filter((each) => /^megrez\.io\/.*\/status$/.test(each)),
    named(ownKinds, '/status'),
  )
  const reconciled = rows.flatMap(({ queue }) => (isOwnKind(queue) ? [queue] : []))
  assert.ok(reconciled.length > 10)
  const written = new Set(withVerbs(workers, 'patch', 'delete'))
  assert.deepEqual(
    named(reconciled).filter((each) => !written.has(each)),
    [],
  )
})
