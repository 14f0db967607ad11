// Objects that a question names: `NAMESPACE/NAME`, and of several kinds `KIND/NAMESPACE/NAME`.
import { BadParameter } from '../invalid-object.ts'
import type { Parameters } from '../query.ts'

export interface NamedObject {
  readonly namespace: string
  readonly name: string
}

const keyForm = /^([a-z0-9-]{1,63})\/([a-z0-9.-]{1,253})$/
const kindForm = /^(pods|ports)\/(.*)$/

const readKey = (text: string): NamedObject | undefined => {
  const [, namespace, name] = keyForm.exec(text) ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}

/** @throws BadParameter */
export function keyIn(parameters: Parameters, parameter: string): NamedObject {
  const key = readKey(parameters[parameter] ?? '')
  if (key === undefined) throw new BadParameter(parameter, 'must be NAMESPACE/NAME')
  return key
}

export interface NamedEnd extends NamedObject {
  readonly kind: 'pods' | 'ports'
}

/** A pod or a Port; undefined: it is neither. */
export function readEnd(text: string): NamedEnd | undefined {
  const [, kind, rest = ''] = kindForm.exec(text) ?? []
  const key = readKey(rest)
  return key && { ...key, kind: kind === 'pods' ? kind : 'ports' }
}
