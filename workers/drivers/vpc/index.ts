// The providers of Vpcs: one line each.
import type { VpcProvider } from '../../../core/contracts/vpc-provider.ts'
import { builtin, type BuiltinDeps } from './builtin.ts'

export type Registry = Readonly<Record<string, (deps: BuiltinDeps) => VpcProvider>>

export const registry: Registry = { builtin }
