// Queues of switch ports: put after the port, in one transaction, and taken away with it.
import { OvsdbStale, SwitchQueueRefused } from '../../../core/errors.ts'
import type { Ovsdb } from '../../../platform/ovsdb/database.ts'
import { applied } from '../../../platform/ovsdb/vswitch.ts'
import { OneByOne } from '../one-by-one.ts'
import { dropOperations, orphans, putOperations, type QosRows, type WantedQos } from './qos-operations.ts'
import { qosRows, queueRows } from './qos-rows.ts'

export class PortQueues {
  readonly #db: Ovsdb
  /** Each reads the rows that the one before has made. */
  readonly #changes = new OneByOne()

  constructor(db: Ovsdb) {
    this.#db = db
  }

  /**
   * Resolves once the switch has them.
   *
   * @throws SwitchQueueRefused  a queue's port has no QoS; the others are put
   * @throws OvsdbStale         a rival was faster: look again
   */
  async put(wanted: WantedQos, within: () => AbortSignal): Promise<void> {
    if (wanted.qos.length + wanted.queues.length === 0 && this.#db.rows('QoS').size === 0) return
    await this.#changes.run(async () => {
      const rows = this.#rows()
      const left = orphans(wanted, rows)
      const operations = putOperations(wanted, rows)
      const results = operations.length === 0 ? [] : await applied(this.#db, operations, within())
      if (operations.some(({ op }, at) => op === 'update' && results[at]?.count === 0)) throw new OvsdbStale({ address: this.#db.address })
      if (left.length > 0)
        throw new SwitchQueueRefused({ name: left[0]!.port, number: left[0]!.number, reason: 'a queue needs a QoS on its port' })
    })
  }

  async drop(unwanted: WantedQos, within: () => AbortSignal): Promise<void> {
    if (unwanted.qos.length + unwanted.queues.length === 0) return
    await this.#changes.run(async () => {
      const operations = dropOperations(unwanted, this.#rows())
      if (operations.length > 0) await applied(this.#db, operations, within())
    })
  }

  #rows(): QosRows {
    const qos = qosRows(this.#db)
    return { qos, queues: queueRows(this.#db, qos) }
  }
}
