// What each action says to a thing that is there. Undefined: it is another's, and is not taken from it.
import type { CloudAction } from '../../../../core/contracts/cloud.ts'
import { CloudRefused } from '../../../../core/errors.ts'
import { boundTo, nameOf, ownedBy, updateOf, type Entity, type Naming, type AlcorKind } from './entities.ts'
import { ownerIn } from './tags.ts'

export type Change<K extends AlcorKind> = Exclude<CloudAction<K>, { readonly do: 'create' | 'delete' }>
type Act<K extends AlcorKind, D extends Change<K>['do']> = Extract<Change<K>, { readonly do: D }>
interface On {
  readonly kind: AlcorKind
  readonly now: Entity
  readonly naming: Naming
}
type ChangesOf<K extends AlcorKind> = { readonly [D in Change<K>['do']]: (action: Act<K, D>, on: On) => object | undefined }

const changes: ChangesOf<AlcorKind> = {
  adopt({ scope: { of } }, { now, naming }) {
    return [undefined, of.uid].includes(ownerIn(now)) ? ownedBy(now, of.uid, naming) : undefined
  },
  claim({ scope: { of }, there }, { now, naming }) {
    return [there.owner, of.uid].includes(ownerIn(now)) ? { ...ownedBy(now, of.uid, naming, true), name: nameOf(of.uid) } : undefined
  },
  release({ scope: { of } }, { kind, now, naming }) {
    return ownerIn(now) === of.uid ? { ...ownedBy(now, undefined, naming), ...(kind === 'port' && boundTo(undefined)) } : {}
  },
  bind: ({ host }) => boundTo(host),
  expect({ host }) {
    if (host === undefined) return {}
    throw new CloudRefused({ cloud: 'alcor', what: `a binding to ${host}`, reason: 'Alcor binds a port to one node alone' })
  },
  update: ({ wanted }, { kind }) => updateOf(kind, wanted),
}

export const changeOf = <K extends AlcorKind>(action: Change<K>, on: On): object | undefined =>
  (changes[action.do] as (action: Change<K>, on: On) => object | undefined)(action, on)
