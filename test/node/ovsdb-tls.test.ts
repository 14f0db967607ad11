// The client against a real ovsdb-server over TCP and TLS, with an authority of its own and a certificate shown.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { must } from '../../lab/namespaces.ts'
import { silentLog } from '../../platform/log.ts'
import type { OvsdbTls } from '../../platform/ovsdb/address.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { ovsFolder, ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'

describe('an OVSDB over the network', { skip: ovsSkip }, () => {
  const folder = ovsFolder()
  const life = { now: Date.now(), ms: 3_600_000 }
  const authority = makeAuthority('switches', life)
  const server = issueLeaf(authority, ['switch.example.org'], life)
  const client = issueLeaf(authority, ['megrez'], life, 'clientAuth')
  let tcp = 0
  let ssl = 0
  let kept: KeptServer
  before(async () => {
    await mkdir(folder)
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    await must('ovsdb-tool', 'create', join(folder, 'conf.db'), '/usr/share/openvswitch/vswitch.ovsschema')
    ;[tcp = 0, ssl = 0] = await freePorts(2)
    kept = await keep(
      'ovsdb-server',
      [
        join(folder, 'conf.db'),
        `--remote=ptcp:${tcp}:127.0.0.1`,
        `--remote=pssl:${ssl}:127.0.0.1`,
        `--unixctl=${join(folder, 'ctl')}`,
        '--no-chdir',
        '-vsyslog:off',
        `--private-key=${await file('key.pem', server.key)}`,
        `--certificate=${await file('cert.pem', server.cert)}`,
        `--ca-cert=${await file('ca.pem', authority.cert)}`,
      ],
      { log: join(folder, 'log') },
    )
  })
  after(async () => {
    await kept.stop()
    await rm(folder, { recursive: true })
  })

  const open = (address: string, tls?: OvsdbTls): Ovsdb =>
    new Ovsdb({
      address,
      database: 'Open_vSwitch',
      tables: { Open_vSwitch: ['next_cfg'] },
      log: silentLog(),
      ...(tls === undefined ? {} : { tls }),
    })
  const transacts = async (db: Ovsdb): Promise<void> => {
    await db.ready(AbortSignal.timeout(10_000))
    await db.transact([{ op: 'comment', comment: 'hello' }])
    db.close()
  }

  test('TCP', () => transacts(open(`tcp:127.0.0.1:${tcp}`)))

  test('TLS, both showing certificates of one authority', () =>
    transacts(open(`ssl:127.0.0.1:${ssl}`, { ca: authority.cert, cert: client.cert, key: client.key, serverName: 'switch.example.org' })))

  test("TLS where the certificates name no host, as Open vSwitch's own do", () =>
    transacts(open(`ssl:127.0.0.1:${ssl}`, { ca: authority.cert, cert: client.cert, key: client.key })))

  test('a server of another authority, of another name, and a client without a certificate are refused', async () => {
    const strange = makeAuthority('strangers', life)
    const wrong: readonly OvsdbTls[] = [
      { ca: strange.cert, cert: client.cert, key: client.key },
      { ca: authority.cert, cert: client.cert, key: client.key, serverName: 'other.example.org' },
      { ca: authority.cert },
    ]
    for (const tls of wrong) {
      const db = open(`ssl:127.0.0.1:${ssl}`, tls)
      await until(() => db.problem() !== 'not connected yet', 'it is told')
      assert.notEqual(db.problem(), undefined)
      await assert.rejects(db.transact([]), /does not answer/)
      db.close()
    }
  })
})
