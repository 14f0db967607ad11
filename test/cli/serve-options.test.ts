import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readOptions, usage, whyNotOpen } from '../../cli/serve/options.ts'

const optionsOf = (...args: string[]) => readOptions(args, {})
const usual = { l4Port: 7080, folder: '.data', json: false, install: true }

test('without flags everything is as usual', () => {
  assert.deepEqual(optionsOf(), usual)
})

const taken: Record<string, { readonly args: string[]; readonly gives: object }> = {
  'a port': { args: ['--port', '8000'], gives: { l4Port: 8000 } },
  'a port after an equals sign': { args: ['--port=8000'], gives: { l4Port: 8000 } },
  'free ports': { args: ['--port', '0'], gives: { l4Port: 0 } },
  'the highest port that leaves one for admission': { args: ['--port', '65534'], gives: { l4Port: 65534 } },
  'a folder': { args: ['--data', '/tmp/megrez here'], gives: { folder: '/tmp/megrez here' } },
  'one line of JSON': { args: ['--json'], gives: { json: true } },
  'no installing': { args: ['--no-install'], gives: { install: false } },
  'all of them': {
    args: ['--json', '--data=d', '--no-install', '--port=1'],
    gives: { l4Port: 1, folder: 'd', json: true, install: false },
  },
}
for (const [what, { args, gives }] of Object.entries(taken))
  test(`${what} is understood`, () => assert.deepEqual(optionsOf(...args), { ...usual, ...gives }))

const refused: Record<string, readonly [args: string[], told: RegExp]> = {
  'a port that leaves none for admission': [['--port', '65535'], /^--port must be a number from 0 to 65534, not 65535$/],
  'a port that is no number': [['--port', 'http'], /^--port must be a number from 0 to 65534, not http$/],
  'an empty port': [['--port='], /^--port must be a number/],
  'a port below nought': [['--port=-1'], /^--port must be a number/],
  'a port without its number': [['--port'], /--port/],
  'an empty folder': [['--data='], /^--data must name a folder$/],
  'a flag we do not have': [['--ports', '1'], /--ports/],
  'a flag with a value it takes none of': [['--json=yes'], /--json/],
  'a word that belongs to no flag': [['8000'], /8000/],
}
for (const [what, [args, told]] of Object.entries(refused))
  test(`${what} is refused`, () => {
    const answer = optionsOf(...args)
    assert.ok('wrong' in answer && answer.wrong)
    assert.match(answer.show, told)
  })

test('help and the version are shown, and are no mistakes', () => {
  assert.deepEqual(optionsOf('--help'), { show: usage, wrong: false })
  const answer = optionsOf('--version')
  assert.ok('show' in answer && !answer.wrong)
  assert.match(answer.show, /^megrez \d+\.\d+\.\d+$/)
})

test('a port that cannot be opened is told of by its flag, and by what is there', () => {
  assert.equal(
    whyNotOpen('EACCES', 80, 'http'),
    "TCP port 80 is not yours to open, as those below 1024 are root's; choose another, or 0 for free ones",
  )
  assert.match(whyNotOpen('EADDRINUSE', 7081, 'https') ?? '', /^7080 leaves TCP port 7081 to admission, which is in use/)
  assert.equal(whyNotOpen('EMFILE', 80, 'http'), undefined)
})

test('npm itself tells of each flag it took for its own, and we refuse with the line that was meant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'megrez-npm-'))
  try {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ scripts: { start: 'node -p "JSON.stringify({ env: process.env, args: process.argv.slice(1) })"' } }),
    )
    for (const [given, flag] of Object.entries({
      '--port=5': 'port',
      '--data=d': 'data',
      '--json': 'json',
      '--no-install': 'no-install',
    })) {
      const run = spawnSync('npm', ['start', '--silent', given], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder },
      })
      assert.equal(run.status, 0, run.stderr)
      const { env, args } = JSON.parse(run.stdout) as { env: Record<string, string>; args: string[] }
      assert.deepEqual(args, [])
      const answer = readOptions(args, env)
      assert.ok('show' in answer, given)
      assert.equal(answer.show, `npm took --${flag} for its own: write two dashes first, as in: npm start -- --${flag} …`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
