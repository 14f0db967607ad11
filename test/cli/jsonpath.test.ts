import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonPath } from '../../cli/output/jsonpath.ts'

const value = {
  kind: 'List',
  items: [
    { metadata: { name: 'a', labels: { 'app.io/x': '1' } }, status: { ready: true, count: 3, list: [1, 2, 3] } },
    { metadata: { name: 'b' }, status: { ready: false, count: 5, list: [] } },
  ],
}
/** Templates, as the documentation of kubectl has them, and what they print. */
const rows: readonly (readonly [template: string, printed: string])[] = [
  ['{.kind}', 'List'],
  ['{$.kind}', 'List'],
  ['kind', 'List'],
  ["{['kind']}", 'List'],
  ['kind is {.kind}!', 'kind is List!'],
  ['{.items[*].metadata.name}', 'a b'],
  ['{.items[0].metadata.name}', 'a'],
  ['{.items[-1].metadata.name}', 'b'],
  ['{.items[0,1].metadata.name}', 'a b'],
  ['{.items[0].status.list[1:]}', '2 3'],
  ['{.items[0].status.list[::2]}', '1 3'],
  ["{.items[0].metadata['name','labels']}", 'a {"app.io/x":"1"}'],
  ['{.items[0].metadata.labels.app\\.io/x}', '1'],
  ['{..name}', 'a b'],
  ['{.items[*].status.count}', '3 5'],
  ['{.items[?(@.status.count>3)].metadata.name}', 'b'],
  ['{.items[?(@.status.ready==true)].metadata.name}', 'a'],
  ['{.items[?(@.metadata.labels)].metadata.name}', 'a'],
  ['{.items[?(@.metadata.name!="a")].metadata.name}', 'b'],
  ['{range .items[*]}{.metadata.name}={.status.count}{"\\n"}{end}', 'a=3\nb=5\n'],
  ['{range .items[*]}{range .status.list[*]}{@}{","}{end}{end}', '1,2,3,'],
  ['{.nothing.at.all}', ''],
  ['{"{}"}', '{}'],
]
for (const [template, printed] of rows)
  test(`${template} prints ${JSON.stringify(printed)}`, () => assert.equal(jsonPath(template)(value), printed))

const wrong: readonly (readonly [template: string, says: RegExp])[] = [
  ['{.a', /closing brace/],
  ['{range .a}', /has no \{end\}/],
  ['{end}', /no \{range/],
  ['{.a[}', /is not understood/],
  ['{.a b}', /is not understood/],
]
for (const [template, says] of wrong) test(`${template} is refused`, () => assert.throws(() => jsonPath(template), says))
