// The QoS policy of a Port of a cloud. One that others have chosen for it is left; one that it has named goes with its name. So that both
// are told apart, what its cloud is asked for is in its status before.
import type { CloudPort, PortWanted } from '../../contracts/cloud.ts'
import type { Resource } from '../../kinds/index.ts'

type Port = Resource<'Port'>

const isCalled = ({ settings: { qosPolicy: there } }: CloudPort, text: string | undefined): boolean =>
  there !== undefined && (there.id === text || there.name === text)

export const hasOtherQos = ({ spec: { qosPolicy }, status }: Port, there: CloudPort): boolean =>
  qosPolicy === undefined ? isCalled(there, status?.qosPolicy) : !isCalled(there, qosPolicy)

export function wantedQos(port: Port, there: CloudPort | undefined): PortWanted['qosPolicy'] {
  const isGivenUp = port.spec.qosPolicy === undefined && there !== undefined && hasOtherQos(port, there)
  return isGivenUp ? null : port.spec.qosPolicy
}

/** Its cloud is asked only once its status says so. */
export const isQosToBeTold = ({ spec: { qosPolicy }, status, metadata }: Port, { owner }: CloudPort): boolean =>
  qosPolicy !== undefined && qosPolicy !== status?.qosPolicy && owner === metadata.uid

/** As its status tells it. Of one that is given up it is told until its cloud has taken it away. */
export function askedQos(port: Port, there: CloudPort | undefined): { readonly qosPolicy?: string } {
  const qosPolicy = port.spec.qosPolicy ?? port.status?.qosPolicy
  const isLeft = port.spec.qosPolicy === undefined && (there === undefined || !hasOtherQos(port, there))
  return qosPolicy === undefined || isLeft ? {} : { qosPolicy }
}
