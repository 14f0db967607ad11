// A ledger on a disk that is full: a small one of its own.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { thisDisk, type Disk } from '../../agent/ledger/disk.ts'
import { Ledger } from '../../agent/ledger/ledger.ts'
import type { Wired } from '../../agent/ledger/record.ts'
import { DiskFull } from '../../core/errors.ts'
import { silentLog } from '../../platform/log.ts'
import { openNode } from '../agent/node.ts'
import { openTestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'

const isRoot = process.getuid?.() === 0
const sized = 256 * 1024

describe('a ledger on a disk that is full', { skip: isRoot ? false : 'only root mounts one' }, () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mz-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sized}`, 'tmpfs', folder])
  })
  afterEach(async () => {
    // Lazily: who was killed still has its file open.
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true })
  })

  // A killed process gives back what it had; here one process is both the dead one and the next.
  const disk: Disk = { ...thisDisk, claim: () => Promise.resolve(() => Promise.resolve()) }
  const open = (): Promise<Ledger> => Ledger.open({ disk, folder, node: 'n1', log: silentLog(), now: () => 7, boot: 'one' })
  const ballast = (): string => join(folder, 'ballast')
  /** Everything but so many bytes is somebody else's. */
  async function fill(but: number): Promise<void> {
    await writeFile(ballast(), Buffer.alloc(sized)).catch(() => undefined)
    await truncate(ballast(), (await stat(ballast())).size - but)
  }
  function wired(uid: string): Wired {
    const port = {
      uid,
      of: { kind: 'Port', name: uid },
      number: Number(uid),
      ifcName: `mgz${uid}`,
      attachment: { kind: 'vni', vni: 5 },
      mac: '02:00:00:00:00:01',
      addresses: [],
      allowedAddressPairs: [],
      portSecurity: true,
      type: 'kernel',
      mtu: 1400,
    } as const
    return { containerID: `c${uid}`, ifname: 'eth0', port, inside: { ifname: 'eth0', addresses: [], routes: [] }, vpcNamespace: 'a' }
  }

  test('refuses what it cannot keep, keeps all that it acknowledged, opens there, and goes on once there is room', async () => {
    const ledger = await open()
    await fill(8_192)
    const kept: string[] = []
    let refused = 0
    for (let uid = 1; uid <= 100; uid++) {
      await ledger.put(wired(String(uid))).then(
        () => kept.push(String(uid)),
        (err: unknown) => {
          assert.ok(err instanceof DiskFull, String(err))
          refused++
        },
      )
    }
    assert.ok(kept.length > 0 && refused > 0, `${kept.length} kept, ${refused} refused`)
    // Killed: nothing is closed. Whoever begins there reads what was acknowledged, and every line is one.
    const next = await open()
    assert.deepEqual([[...next.wired()].map(({ port }) => port.uid), next.isComplete], [kept, true])
    await assert.rejects(Promise.all(Array.from({ length: 100 }, (_, i) => next.put(wired(String(1_000 + i))))), DiskFull)
    await rm(ballast())
    await next.put(wired('2000'))
    await next.close()
    const last = await open()
    const all = [...last.wired()].map(({ port }) => port.uid)
    assert.deepEqual([kept.every((uid) => all.includes(uid)), all.at(-1), last.isComplete], [true, '2000', true])
    await last.close()
    for (const line of (await readFile(join(folder, 'ledger.jsonl'), 'utf8')).trimEnd().split('\n')) JSON.parse(line)
  })

  test('makes ADD say so and leave nothing behind; the next ADD finds room and is answered', async () => {
    const cluster = await openTestCluster()
    await withNetwork(cluster)
    const node = await openNode({ store: cluster.store, name: 'n1', address: '192.0.2.1', config: { ledger: folder } })
    try {
      const pod = await makePod(cluster, 'a/web', { node: 'n1' })
      await cluster.settle()
      await fill(0)
      const first = await node.cni('ADD', { pod })
      // What is left of the page that the file is in may still take some.
      const second = first.code === 0 ? await node.cni('ADD', { pod, containerID: 'c2' }) : first
      const last = second.code === 0 ? await node.cni('ADD', { pod, containerID: 'c3' }) : second
      assert.notEqual(last.code, 0)
      assert.match(last.said.msg ?? '', /the disk of .* is full/)
      assert.equal(last.said.code, 11)
      await rm(ballast())
      assert.equal((await node.cni('ADD', { pod, containerID: 'c4' })).code, 0)
      assert.equal(node.links.there.size, 1)
      await node.restart()
      assert.deepEqual(
        [...node.agent.env.ledger.wired()].map(({ containerID }) => containerID),
        ['c4'],
      )
    } finally {
      await node.close()
      await cluster.close()
    }
  })
})
