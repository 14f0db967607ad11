import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { cached, used } from '../../platform/programs/cache.ts'

describe('the cache of built programs', () => {
  const before = process.env.XDG_CACHE_HOME
  let home = ''
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'megrez-cache-'))
    process.env.XDG_CACHE_HOME = home
  })
  afterEach(async () => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = before
    await rm(home, { recursive: true })
  })

  test('makes a folder once, for those who ask at the same time and for those who ask later', async () => {
    let made = 0
    const make = async (folder: string) => writeFile(join(folder, 'program'), String(++made))
    const folders = await Promise.all([cached('tool-1', make), cached('tool-1', make), cached('tool-1', make)])
    folders.push(await cached('tool-1', make))
    assert.deepEqual(new Set(folders), new Set([join(home, 'megrez/tool-1')]))
    assert.equal(await readFile(join(home, 'megrez/tool-1/program'), 'utf8'), '1')
  })

  test('keeps nothing of a build that failed, and the next one may succeed', async () => {
    const fail = async (folder: string) => {
      await writeFile(join(folder, 'half'), '')
      throw new Error('no compiler')
    }
    await assert.rejects(cached('tool-1', fail), /no compiler/)
    assert.deepEqual(await readdir(join(home, 'megrez')), [])
    await cached('tool-1', (folder) => writeFile(join(folder, 'program'), ''))
    assert.deepEqual(await readdir(join(home, 'megrez/tool-1')), ['program'])
  })

  test('a builder that was killed stops nobody, and what it left is swept away', async () => {
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    await mkdir(join(home, `megrez/tool-1.half-${gone}`), { recursive: true })
    await writeFile(join(home, 'megrez/tool-1.lock'), String(gone))
    await cached('tool-1', (folder) => writeFile(join(folder, 'program'), ''))
    assert.deepEqual(await readdir(join(home, 'megrez')), ['tool-1'])
  })

  test('what is named by a hash and nobody has used for a month goes with the next build; what is named by a version stays', async () => {
    const make = (folder: string): Promise<void> => writeFile(join(folder, 'program'), '')
    const names = ['idle', 'used', 'asked', 'young'].map((name) => `${name}-0123456789abcdef`)
    for (const name of [...names, 'idle-1.34.4']) await cached(name, make)
    for (const name of [...names, 'idle-1.34.4'].filter((each) => !each.startsWith('young'))) await utimes(join(home, 'megrez', name), 1, 1)
    await cached('used-0123456789abcdef', make)
    assert.ok(used(join(home, 'megrez/asked-0123456789abcdef')))
    assert.equal(used(join(home, 'megrez/nobody-0123456789abcdef')), false)
    await cached('new-0123456789abcdef', make)
    assert.deepEqual(await readdir(join(home, 'megrez')), [
      'asked-0123456789abcdef',
      'idle-1.34.4',
      'new-0123456789abcdef',
      'used-0123456789abcdef',
      'young-0123456789abcdef',
    ])
  })
})
