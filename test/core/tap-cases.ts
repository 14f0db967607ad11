// What a Port takes and refuses of who may open its TAP.
interface TapCase {
  readonly kind: 'Port'
  readonly spec: object
  readonly was?: object
  readonly refused?: string
}

const port = (spec: object, refused?: string): TapCase => ({
  kind: 'Port',
  spec: { subnet: 'a', ...spec },
  ...(refused !== undefined && { refused }),
})
const ofUser = (uid: number): object => ({ subnet: 'a', type: 'tap', tap: { uid } })

export const tapCases: Readonly<Record<string, TapCase>> = {
  'a TAP for a user, with queues': port({ type: 'tap', tap: { uid: 1000, gid: 1000, multiQueue: true } }),
  'a TAP for root': port({ type: 'tap', tap: { uid: 0 } }, 'spec.tap.uid'),
  'a TAP for nobody': port({ type: 'tap', tap: { gid: 4_294_967_295 } }, 'spec.tap.gid'),
  'who may open what is no TAP': port({ tap: { uid: 1000 } }, 'spec.tap'),
  'a TAP is for another user': { kind: 'Port', was: ofUser(1000), spec: ofUser(1001), refused: 'spec.tap' },
}
