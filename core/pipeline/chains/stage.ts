// How far a packet is in a service chain. Inside a node it stands in a register; to another node it goes as the MAC that the frame is from,
// which no port's own packets have.
import type { CompiledChain } from '../../kinds/policy/chain.ts'
import { load, set, type Action } from '../openflow/actions.ts'
import { ethSrc } from '../openflow/fields.ts'
import { isMasked, type Term } from '../openflow/flow.ts'
import { macValue } from '../openflow/values.ts'
import { owners } from '../registers.ts'

const all = 0xffff
const inChain = 0x200
const toSubject = 0x100

/** What has been decided of a packet: nothing is asked again. `brought`: it was handed to a function on the node that it came from. */
export const decided = { none: 0, out: 1, handed: 2, brought: 3 } as const
/** Of a packet between a subject and the other end of a connection: sent by the subject, or to it. */
export type Way = 'from' | 'to'
export const ways: readonly Way[] = ['from', 'to']
/** The way that connections are begun: functions are in their order, and ports those of the chain. */
export const isForth = ({ direction }: Pick<CompiledChain, 'direction'>, way: Way): boolean => (direction === 'egress') === (way === 'from')

const wayValue = (way: Way): number => inChain + (way === 'to' ? toSubject : 0)
/** @param at number of the function that it comes from, from 1 on; 0: of none yet */
export const stageOf = (way: Way, at: number): number => wayValue(way) + at
/** On whichever node that was. */
export const isHanded: Term = isMasked(owners.chain.field, decided.handed, all - 1)
export const isStage = (stage: number): Term => isMasked(owners.chain.field, stage, all)
export const onWay = (way: Way): Term => isMasked(owners.chain.field, wayValue(way), inChain + toSubject)
export const putStage = (stage: number): Action => load(owners.chain, stage)
/** @param id of the chain, as ruleId has it */
export const putChain = (id: number, stage: number): readonly Action[] => [load(owners.part, id), putStage(stage)]

/** Beside the gateway's MAC; the last bit apart they are one. */
const handedMac = macValue('02:4d:65:67:72:66')
const outMac = macValue('02:4d:65:67:72:67')
export const markedMac = { handed: handedMac, out: outMac } as const
/** It says that it comes of a chain. */
export const isMarked: Term = isMasked(ethSrc, handedMac, 0xfffffffffffe)
export const putMark = (as: keyof typeof markedMac): Action => set(ethSrc, markedMac[as])
