// Arguments of the modules and ports that our graph is made of.
// Source: github.com/NetSys/bess at 1d8f708 (BSD-3-Clause), protobuf/module_msg.proto, protobuf/util_msg.proto,
// protobuf/ports/port_msg.proto.
import {
  bool,
  bytes,
  define,
  int32,
  int64,
  message,
  oneof,
  repeated,
  safeInt64,
  safeUint64,
  string,
  uint32,
  uint64,
  type Message,
} from '../protobuf/protobuf.ts'

export const Field = define('bess.pb.Field', { ...oneof('position', { attrName: string(1), offset: uint32(2) }), numBytes: uint32(3) })
export const FieldData = define('bess.pb.FieldData', oneof('encoding', { valueBin: bytes(1), valueInt: uint64(2) }))

export const EmptyArg = define('bess.pb.EmptyArg', {})
export const PortIncArg = define('bess.pb.PortIncArg', { port: string(1), prefetch: bool(2) })
export const PortOutArg = define('bess.pb.PortOutArg', { port: string(1) })
export const ReplicateArg = define('bess.pb.ReplicateArg', { gates: repeated(safeInt64(1)) })
export const ReplicateCommandSetGatesArg = define('bess.pb.ReplicateCommandSetGatesArg', { gates: repeated(safeInt64(1)) })
export const ArpResponderArg = define('bess.pb.ArpResponderArg', { ip: string(1), macAddr: string(2) })
export const VXLANEncapArg = define('bess.pb.VXLANEncapArg', { dstport: safeUint64(1) })
export const VLANPushArg = define('bess.pb.VLANPushArg', { tci: safeUint64(1) })
export const VLANPopArg = define('bess.pb.VLANPopArg', {})
const EncapField = define('bess.pb.GenericEncapArg.EncapField', {
  size: safeUint64(1),
  ...oneof('insertion', { attribute: string(2), value: message(3, FieldData) }),
})
export const GenericEncapArg = define('bess.pb.GenericEncapArg', { fields: repeated(message(1, EncapField)) })
export const GenericDecapArg = define('bess.pb.GenericDecapArg', { bytes: safeUint64(1) })
export const IPChecksumArg = define('bess.pb.IPChecksumArg', { verify: bool(1) })
export const QueueArg = define('bess.pb.QueueArg', { size: safeUint64(1) })
export const VXLANDecapArg = define('bess.pb.VXLANDecapArg', {})
export const IPEncapArg = define('bess.pb.IPEncapArg', {})
export const EtherEncapArg = define('bess.pb.EtherEncapArg', {})
const MetadataAttribute = define('bess.pb.SetMetadataArg.Attribute', {
  name: string(1),
  size: safeUint64(2),
  ...oneof('value', { valueInt: uint64(3), valueBin: bytes(4) }),
  offset: int32(5),
  mask: bytes(6),
  rshiftBits: int32(7),
})
export const SetMetadataArg = define('bess.pb.SetMetadataArg', { attrs: repeated(message(1, MetadataAttribute)) })
const UpdateField = define('bess.pb.UpdateArg.Field', { offset: safeInt64(1), size: safeUint64(2), value: uint64(3) })
export const UpdateArg = define('bess.pb.UpdateArg', { fields: repeated(message(1, UpdateField)) })

export const ExactMatchArg = define('bess.pb.ExactMatchArg', {
  fields: repeated(message(1, Field)),
  masks: repeated(message(2, FieldData)),
})
export const ExactMatchCommandAddArg = define('bess.pb.ExactMatchCommandAddArg', {
  gate: safeUint64(1),
  fields: repeated(message(2, FieldData)),
})
export const ExactMatchCommandDeleteArg = define('bess.pb.ExactMatchCommandDeleteArg', { fields: repeated(message(2, FieldData)) })
export const ExactMatchCommandSetDefaultGateArg = define('bess.pb.ExactMatchCommandSetDefaultGateArg', { gate: safeUint64(1) })
export const ExactMatchConfig = define('bess.pb.ExactMatchConfig', {
  defaultGate: safeUint64(1),
  rules: repeated(message(2, ExactMatchCommandAddArg)),
})

export const WildcardMatchArg = define('bess.pb.WildcardMatchArg', { fields: repeated(message(1, Field)) })
export const WildcardMatchCommandAddArg = define('bess.pb.WildcardMatchCommandAddArg', {
  gate: safeUint64(1),
  priority: int64(2),
  values: repeated(message(3, FieldData)),
  masks: repeated(message(4, FieldData)),
})
export const WildcardMatchCommandDeleteArg = define('bess.pb.WildcardMatchCommandDeleteArg', {
  values: repeated(message(1, FieldData)),
  masks: repeated(message(2, FieldData)),
})
export const WildcardMatchCommandSetDefaultGateArg = define('bess.pb.WildcardMatchCommandSetDefaultGateArg', { gate: safeUint64(1) })
export const WildcardMatchConfig = define('bess.pb.WildcardMatchConfig', {
  defaultGate: safeUint64(1),
  rules: repeated(message(2, WildcardMatchCommandAddArg)),
})

export const PMDPortArg = define('bess.pb.PMDPortArg', {
  loopback: bool(1),
  ...oneof('port', { portId: uint64(2), pci: string(3), vdev: string(4) }),
  vlanOffloadRxStrip: bool(5),
  vlanOffloadRxFilter: bool(6),
  vlanOffloadRxQinq: bool(7),
})
export const PCAPPortArg = define('bess.pb.PCAPPortArg', { dev: string(1) })
export const UnixSocketPortArg = define('bess.pb.UnixSocketPortArg', {
  path: string(1),
  minRxIntervalNs: safeInt64(2),
  confirmConnect: bool(3),
})

/** By class. */
export const moduleArgs: Readonly<Record<string, Message<object>>> = {
  PortInc: PortIncArg,
  PortOut: PortOutArg,
  Replicate: ReplicateArg,
  ArpResponder: EmptyArg,
  VXLANEncap: VXLANEncapArg,
  VXLANDecap: VXLANDecapArg,
  IPEncap: IPEncapArg,
  EtherEncap: EtherEncapArg,
  SetMetadata: SetMetadataArg,
  Update: UpdateArg,
  UpdateTTL: EmptyArg,
  VLANPush: VLANPushArg,
  VLANPop: VLANPopArg,
  GenericEncap: GenericEncapArg,
  GenericDecap: GenericDecapArg,
  Queue: QueueArg,
  IPChecksum: IPChecksumArg,
  IPSwap: EmptyArg,
  ExactMatch: ExactMatchArg,
  WildcardMatch: WildcardMatchArg,
}
