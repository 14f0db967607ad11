// Our field tables against BESS' own .proto files, read by another implementation.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { peersFolder } from '../../lab/programs/bess.ts'
import * as control from '../../core/wire/bess/control.ts'
import * as modules from '../../core/wire/bess/modules.ts'
import type { Field, Nested } from '../../core/wire/protobuf/protobuf.ts'
import { run } from '../../platform/programs/run.ts'
import { secondFields } from '../core/protobuf-second.ts'

const peers = peersFolder()
const skip = peers === undefined ? 'MEGREZ_PEERS names no folder with bess/bess-src.tar.xz' : false
const files = ['error.proto', 'bess_msg.proto', 'util_msg.proto', 'module_msg.proto', 'ports/port_msg.proto']

async function protos(): Promise<readonly string[]> {
  const archive = join(peers!, 'bess', 'bess-src.tar.xz')
  return Promise.all(files.map(async (file) => (await run('tar', ['-xJOf', archive, `bess/protobuf/${file}`])).stdout))
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const typeOf = ({ type, label, key }: Field): string =>
  `${label === 'repeated' ? 'repeated ' : ''}${label === 'map' ? `map<${key}> ` : ''}${typeof type === 'function' ? type().name : type}`

test('every field of every table has the number and the type that BESS gives it', { skip }, async () => {
  const theirs = secondFields(await protos())
  const seen = new Set<string>()
  const check = ({ name, fields }: Nested<unknown, unknown>): void => {
    if (seen.has(name) || name.startsWith('google.')) return
    seen.add(name)
    const known = new Map(theirs(name).map((field) => [camel(field.name), field]))
    for (const [key, field] of Object.entries(fields)) {
      const real = known.get(key)
      assert.deepEqual({ no: field.no, type: typeOf(field) }, { no: real?.no, type: real?.type }, `${name}.${key}`)
      if (typeof field.type === 'function') check(field.type())
    }
  }
  for (const each of [...Object.values(control), ...Object.values(modules)])
    if (typeof each === 'object' && 'fields' in each) check(each as Nested<unknown, unknown>)
  for (const each of Object.values(modules.moduleArgs)) check(each)
  assert.ok(seen.size > 40, `${seen.size} tables`)
})
