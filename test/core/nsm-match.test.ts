// The vectors of Network Service Mesh's own selection (networkservicemesh/sdk:pkg/tools/matchutils/utils.go), and its templates.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NsmSpec } from '../../core/kinds/foreign-network-services.ts'
import { matchEndpoints, type Labels } from '../../core/nsm/match.ts'
import { parseTemplate, rendered } from '../../core/nsm/template.ts'

type Matches = NonNullable<NsmSpec<'NetworkService'>['matches']>
interface Endpoint {
  readonly name: string
  readonly labels: Labels
}
const endpoints: readonly Endpoint[] = [
  { name: 'v1', labels: { v: '1', zone: 'a' } },
  { name: 'v2', labels: { v: '2', zone: 'b' } },
  { name: 'plain', labels: {} },
]
const chosen = (matches: Matches, labels: Labels): string =>
  matchEndpoints({ matches, labels, endpoints, labelsOf: ({ labels: own }) => own })
    .map(({ name }) => name)
    .join(' ')

const everybody = 'v1 v2 plain'
const toV1 = { source_selector: {}, routes: [{ destination_selector: { v: '1' } }] }
const ofA = { source_selector: { app: 'a' } }
const a = { app: 'a' }

const vectors: Readonly<Record<string, readonly [Matches, Labels, string]>> = {
  'no matches: all': [[], a, everybody],
  'first match fits, has no routes, no metadata, no fallthrough: none': [[ofA, toV1], a, ''],
  'first match fits and has metadata and no routes: all': [[{ ...ofA, metadata: {} }, toV1], a, everybody],
  'first match falls through: the second': [[{ ...ofA, fallthrough: true }, toV1], a, 'v1'],
  'fallthrough wins over metadata': [[{ ...ofA, fallthrough: true, metadata: {} }, toV1], a, 'v1'],
  'first match does not fit: the second': [[ofA, toV1], {}, 'v1'],
  'no match fits: none': [[ofA], { app: 'b' }, ''],
  'a match that gives none ends it': [[{ routes: [{ destination_selector: { v: '9' } }] }, toV1], a, ''],
  'metadata beside routes does not open it': [[{ metadata: {}, routes: [{ destination_selector: { v: '9' } }] }], a, ''],
  'fallthrough of the last match: none': [[{ fallthrough: true, routes: [{ destination_selector: { v: '9' } }] }], a, ''],
  'fallthrough of a match that gives some: these': [[{ fallthrough: true, routes: toV1.routes }, {}], a, 'v1'],
  'a route without a selector: all, in order': [[{ routes: [{}] }], a, everybody],
  'one that fits two routes stands there twice, in the order of routes': [
    [{ routes: [{ destination_selector: { v: '2' } }, { destination_selector: { zone: 'b' } }, { destination_selector: { v: '1' } }] }],
    a,
    'v2 v2 v1',
  ],
  'a template of the destination': [[{ routes: [{ destination_selector: { zone: '{{.zone}}' } }] }], { zone: 'b' }, 'v2'],
  'a template whose label the client lacks': [[{ routes: [{ destination_selector: { zone: '{{.zone}}' } }] }], {}, ''],
  'a template of the source, over the client itself': [
    [{ source_selector: { app: '{{.other}}' }, routes: [{}] }],
    { app: 'x', other: 'x' },
    everybody,
  ],
  'a selector with more labels than there are': [[{ routes: [{ destination_selector: { v: '1', zone: 'a', x: '' } }] }], a, ''],
  'an empty value is an absent label, where there are others': [[{ routes: [{ destination_selector: { x: '' } }] }], a, 'v1 v2'],
  'a name that every object has is no label': [[{ source_selector: { toString: 'x' }, routes: [{}] }], a, ''],
}

describe('the endpoints of a client', () => {
  for (const [name, [matches, labels, wanted]] of Object.entries(vectors)) test(name, () => assert.equal(chosen(matches, labels), wanted))
})

describe('a template', () => {
  const client = { zone: 'b', 'example.org/zone': 'c', 'a"b': 'q' }
  const rows: Readonly<Record<string, string>> = {
    plain: 'plain',
    '{{.zone}}': 'b',
    '{{ .zone }}': 'b',
    'x-{{.zone}}-{{ index . "example.org/zone" }}': 'x-b-c',
    '{{index . `example.org/zone`}}': 'c',
    '{{index . "a\\"b"}}': 'q',
    'x {{- .zone -}} y': 'xby',
    '{{.absent}}': '<no value>',
    '{{index . "absent"}}': '',
    '{{.toString}}': '<no value>',
  }
  for (const [text, wanted] of Object.entries(rows)) test(text, () => assert.equal(rendered(text, client), wanted))

  for (const text of [
    '{{',
    '{{.zone',
    '{{.}}',
    '{{}}',
    '{{.a.b}}',
    '{{if .a}}x{{end}}',
    '{{printf "%s" .zone}}',
    '{{index . "a" "b"}}',
    '{{.9a}}',
  ])
    test(`${text} is refused, and says itself`, () => {
      assert.equal(parseTemplate(text).kind, 'refused')
      assert.equal(rendered(text, client), text)
    })
})
