import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { cached } from '../../platform/programs/cache.ts'

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
})
