// Tokens of a standalone server: what they may, how long, and until somebody takes them back.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Tokens, type Caller } from '../../webhooks/plugins/auth.ts'
import { openLocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { realClock } from '../../platform/clock.ts'
import { outputOf } from './command-output.ts'

let data = ''
/** As the server has them, which runs meanwhile. */
let tokens: Tokens
before(async () => {
  data = await mkdtemp(join(tmpdir(), 'megrez-token-'))
  tokens = new Tokens((await openLocalIssuer(data, realClock)).trust, realClock)
})
after(() => rm(data, { recursive: true }))

const megrez = (line: string) => outputOf([...line.split(' '), '--data', data], {})
const callerOf = async (token: string): Promise<Caller> => tokens.callerOf(`Bearer ${token.trim()}`)

test('a token is printed alone, and is for its role, its namespaces and its time', async () => {
  const { exit, out, err } = await megrez('token create --role viewer -n a -n b --name ci --expires 2h')
  assert.equal(exit, 0)
  assert.match(out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  assert.match(err, /^viewer in a, b, until \d{4}-/)
  const { subject, grants, until } = await callerOf(out)
  assert.equal(subject, 'ci')
  assert.deepEqual(grants, [{ role: 'viewer', namespaces: new Set(['a', 'b']) }])
  assert.ok(Math.abs(until - Date.now() - 7_200_000) < 60_000)
})

test('a list says what each may, and never the token itself', async () => {
  const { out: token } = await megrez('token create --role admin --name ops')
  const { out } = await megrez('token list')
  assert.match(out, /^NAME +ROLE +NAMESPACES +STATE +EXPIRES +AGE +ID\n/)
  assert.match(out, /^ops +admin +all +valid /m)
  for (const file of await readdir(join(data, 'tokens'))) {
    const path = join(data, 'tokens', file)
    assert.ok(!(await readFile(path, 'utf8')).includes(token.split('.')[2]!.trim()))
    assert.equal((await stat(path)).mode & 0o077, 0, 'of its owner alone')
  }
})

test('one that was revoked is refused at the very next request, though the server knew it', async () => {
  const { out: token } = await megrez('token create --name gone')
  const { out: other } = await megrez('token create --name stays')
  await callerOf(token)
  assert.equal((await megrez('token revoke gone')).out, 'token/gone revoked\n')
  await assert.rejects(callerOf(token), /it was revoked/)
  assert.equal((await callerOf(other)).subject, 'stays')
  assert.match((await megrez('token list')).out, /^gone +viewer +all +revoked /m)
  const anew = new Tokens((await openLocalIssuer(data, realClock)).trust, realClock)
  await assert.rejects(async () => anew.callerOf(`Bearer ${token.trim()}`), /it was revoked/, 'by a server that starts anew too')
})

const wrong: readonly (readonly [line: string, exit: number, says: RegExp])[] = [
  ['token', 2, /say megrez token create, list or revoke/],
  ['token create --role viwer', 2, /there is no role "viwer": did you mean viewer\?/],
  ['token create --role agent', 2, /there is no role "agent"/],
  ['token create -n Not_One', 2, /can be the name of no namespace/],
  ['token create --expires 9999d', 2, /from 1s to 366d/],
  ['token create --expires soon', 2, /is a length of time/],
  ['token create --name a/b', 2, /--name is of letters/],
  ['token revoke', 2, /revoke which\?/],
  ['token revoke oops', 1, /there is no token "oops"; did you mean ops\?/],
]
for (const [line, exit, says] of wrong)
  test(`refuses: megrez ${line}`, async () => {
    const answer = await megrez(line)
    assert.deepEqual([answer.exit, answer.out], [exit, ''])
    assert.match(answer.err, says)
  })

test('where no server has ever run nothing is made', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'megrez-token-'))
  const { exit, err } = await outputOf(['token', 'create', '--data', empty], {})
  assert.equal(exit, 3)
  assert.match(err, /no server has run from the folder/)
  assert.deepEqual(await readdir(empty), [])
  await rm(empty, { recursive: true })
})
