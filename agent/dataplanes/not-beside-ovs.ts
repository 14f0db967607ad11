// The kernel as data plane on a node where Open vSwitch has tunnels too. Its userspace datapath takes the packets of a tunnel's UDP port
// off the wire before the kernel sees them, and leaves no socket behind by which the kernel would know: nothing would come from any node.
import { access } from 'node:fs/promises'
import { InUse, OvsdbUnavailable } from '../../core/errors.ts'
import type { Config } from '../../platform/config.ts'
import { timeLimit, type Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

/** Who listens answers at once; nobody does where a daemon has left its socket. */
const answerMs = 2_000

/**
 * @param ovsDb `unix:/path`; a database elsewhere is not that of this node
 * @throws InUse with the interface that has the tunnel's UDP port
 */
export async function refuseOvs(
  { ovsDb, tunnelL4Port }: Pick<Config, 'ovsDb' | 'tunnelL4Port'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  const path = ovsDb.startsWith('unix:') ? ovsDb.slice('unix:'.length) : undefined
  if (
    path === undefined ||
    !(await access(path).then(
      () => true,
      () => false,
    ))
  )
    return
  // In no other agent's memory.
  const [{ Ovsdb }, { tunnelsTo }, { switchTables }] = await Promise.all([
    import('../../platform/ovsdb/database.ts'),
    import('../ovs/probe.ts'),
    import('../ovs/ovsdb/rows.ts'),
  ])
  const db = new Ovsdb({ address: ovsDb, database: 'Open_vSwitch', tables: switchTables, log })
  try {
    await db.ready(timeLimit(answerMs, clock))
    const [tunnel] = tunnelsTo(db, tunnelL4Port)
    if (tunnel === undefined) return
    const whose = tunnel.mark === undefined ? '' : ': an agent has used it as its data plane here, and has to leave this node first'
    throw new InUse({
      what: `UDP port ${tunnelL4Port} for tunnels`,
      owner: `${tunnel.name} on bridge ${tunnel.bridge} of this node's Open vSwitch${whose}`,
    })
  } catch (err) {
    if (!(err instanceof OvsdbUnavailable)) throw err
    log.info({ ovsDb }, 'no Open vSwitch answers: it has no tunnels here')
  } finally {
    db.close()
  }
}
