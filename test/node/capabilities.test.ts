import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ovs } from '../../agent/dataplanes/ovs.ts'
import { oldestVersion, refuseOld } from '../../agent/ovs/probe.ts'
import { labPrefix } from '../../lab/namespaces.ts'
import { startOvsNode } from '../../lab/programs/ovs.ts'
import { SwitchTooOld } from '../../core/errors.ts'
import { readHelloVersions } from '../../core/wire/openflow/features.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { run } from '../../platform/programs/run.ts'
import { ovsFolder, ovsSkip } from '../setup/ovs.ts'

test(
  "Open vSwitch is asked for its datapath, connection tracking, versions of OpenFlow, groups and meters; the probe's bridge goes",
  { skip: ovsSkip },
  async () => {
    const node = await startOvsNode({ name: `${labPrefix()}c`, folder: ovsFolder() })
    const openAt = async (runDir: string): Promise<Readonly<Record<string, unknown>>> => {
      const plane = ovs({
        node: 'c',
        db: node.db,
        runDir,
        bridge: 'mgz-int',
        datapath: 'auto',
        tunnelAddress: '192.0.2.1',
        tunnelL4Port: 4789,
        uplinks: {},
        clock: realClock,
        random: Math.random,
        log: silentLog(),
      })
      try {
        return await plane.open(AbortSignal.timeout(30_000))
      } finally {
        await plane.close()
      }
    }
    try {
      const can = await openAt(node.folder)
      assert.deepEqual([can['datapath'], can['ct'], can['vxlan'], can['groups']], ['netdev', true, true, 'all select indirect failover'])
      assert.match(String(can['openflow']), /1\.4/)
      // Told by the running daemon: the database says what somebody has written there.
      const { stdout } = await run('ovs-vswitchd', ['--version'])
      assert.ok(stdout.includes(`(Open vSwitch) ${String(can['version'])}\n`), String(can['version']))
      assert.ok(Number(can['meters']) > 0)
      assert.deepEqual(
        ['meterBands', 'ctMark', 'ctLabel', 'ctFirstPacket', 'queues'].map((name) => can[name]),
        ['drop', true, true, true, false],
      )
      assert.equal((await openAt('/nowhere'))['openflow'], false)
      assert.equal(await node.vsctl('list-br'), '')
    } finally {
      await node.stop()
    }
  },
)

test('an Open vSwitch that is older than the oldest that is tested is refused by its version', () => {
  for (const version of ['2.17.9', '3.0.4', '1.11.0']) assert.throws(() => refuseOld(version), SwitchTooOld, version)
  for (const version of [oldestVersion, '3.1.0', '3.10.0', '4.0.0', '3.1.90-dev', ''])
    assert.doesNotThrow(() => refuseOld(version), version)
  const documents = ['docs/operations.md', 'README.md'].map((path) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8'))
  for (const text of documents) assert.ok(text.includes(`Open vSwitch ${oldestVersion}`), 'documents name it')
})

test("a hello's versions are its bitmap's, else all up to the one in its header", () => {
  const hello = (version: number, ...elements: number[]): Uint8Array =>
    Uint8Array.from([version, 0, 0, 8 + elements.length, 0, 0, 0, 1, ...elements])
  assert.deepEqual(readHelloVersions(hello(6, 0, 1, 0, 8, 0, 0, 0, 0b1110000)), ['1.3', '1.4', '1.5'])
  assert.deepEqual(readHelloVersions(hello(6, 0, 9, 0, 4, 0, 0, 0, 0, 0, 1, 0, 8, 0, 0, 0, 0b10)), ['1.0'])
  assert.deepEqual(readHelloVersions(hello(1)), ['1.0'])
})
