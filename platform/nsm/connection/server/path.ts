// The connection as this hop has it, and as the hop before has it again on the way back.
import { backOnPath, onPath, trimmed } from '../../../../core/nsm/connection/path.ts'
import type { Uids } from '../../../chance.ts'
import type { Element } from '../chain.ts'

/** @param name of this hop's segment */
export const updatePath = (name: string, newId: Uids): Element => ({
  name: 'path',
  async request(visit, next) {
    const { connection, from } = onPath(visit.connection, name, newId)
    return backOnPath(await next.request({ ...visit, connection }), from)
  },
  close: async (visit, next) => next.close({ ...visit, connection: onPath(visit.connection, name, newId).connection }),
})

/** Of endpoints: whatever was behind another one at this place is gone. */
export const trimPath = (): Element => ({ name: 'trim path', request: async (visit, next) => trimmed(await next.request(visit)) })
