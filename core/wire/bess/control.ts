// Messages of bess.pb.BESSControl that we send or read.
// Source: github.com/NetSys/bess at 1d8f708 (BSD-3-Clause), protobuf/error.proto, protobuf/bess_msg.proto.
import {
  Any,
  bool,
  define,
  int32,
  map,
  message,
  repeated,
  safeInt64,
  safeUint64,
  string,
  uint32,
  type ReadOf,
} from '../protobuf/protobuf.ts'

export const service = 'bess.pb.BESSControl'

/** `code` is 0 or a positive errno; gRPC's own status is OK in both cases. */
export const BessError = define('bess.pb.Error', { code: int32(1), errmsg: string(2) })
const error = message(1, BessError)

export const EmptyRequest = define('bess.pb.EmptyRequest', {})
export const EmptyResponse = define('bess.pb.EmptyResponse', { error })
export const VersionResponse = define('bess.pb.VersionResponse', { error, version: string(2) })

export const WorkerStatus = define('bess.pb.ListWorkersResponse.WorkerStatus', {
  wid: safeInt64(1),
  core: safeInt64(2),
  running: bool(3),
  numTcs: safeInt64(4),
  silentDrops: safeInt64(5),
})
export const ListWorkersResponse = define('bess.pb.ListWorkersResponse', { error, workersStatus: repeated(message(2, WorkerStatus)) })

const ViolatingClass = define('bess.pb.CheckSchedulingConstraintsResponse.ViolatingClass', {
  name: string(1),
  constraint: int32(2),
  assignedNode: int32(3),
  assignedCore: int32(4),
})
const ViolatingModule = define('bess.pb.CheckSchedulingConstraintsResponse.ViolatingModule', { name: string(1) })
export const CheckSchedulingConstraintsResponse = define('bess.pb.CheckSchedulingConstraintsResponse', {
  error,
  fatal: bool(2),
  violations: repeated(message(3, ViolatingClass)),
  modules: repeated(message(4, ViolatingModule)),
})

/** A leaf is a module's task; its name begins with `!`. `limit` and `maxBurst` are by resource. */
export const TrafficClass = define('bess.pb.TrafficClass', {
  parent: string(1),
  name: string(2),
  policy: string(4),
  resource: string(5),
  wid: safeInt64(8),
  limit: map('string', safeInt64(9)),
  maxBurst: map('string', safeInt64(10)),
  leafModuleName: string(11),
})
export const TrafficClassRequest = define('bess.pb.AddTcRequest', { class: message(1, TrafficClass) })
export const ListTcsRequest = define('bess.pb.ListTcsRequest', { wid: safeInt64(1) })
const TrafficClassStatus = define('bess.pb.ListTcsResponse.TrafficClassStatus', { class: message(1, TrafficClass), parent: string(2) })
export const ListTcsResponse = define('bess.pb.ListTcsResponse', { error, classesStatus: repeated(message(2, TrafficClassStatus)) })
export const GetTcStatsRequest = define('bess.pb.GetTcStatsRequest', { name: string(1) })
export const GetTcStatsResponse = define('bess.pb.GetTcStatsResponse', { error, packets: safeUint64(5), bits: safeUint64(6) })

export const ListedPort = define('bess.pb.ListPortsResponse.Port', {
  name: string(1),
  driver: string(2),
  macAddr: string(3),
  numIncQ: safeUint64(4),
  numOutQ: safeUint64(5),
  sizeIncQ: safeUint64(6),
  sizeOutQ: safeUint64(7),
  driverArg: message(8, Any),
})
export type ListedPort = ReadOf<typeof ListedPort>
export const ListPortsResponse = define('bess.pb.ListPortsResponse', { error, ports: repeated(message(2, ListedPort)) })
export const CreatePortRequest = define('bess.pb.CreatePortRequest', {
  name: string(1),
  driver: string(2),
  numIncQ: safeUint64(3),
  numOutQ: safeUint64(4),
  sizeIncQ: safeUint64(5),
  sizeOutQ: safeUint64(6),
  arg: message(7, Any),
})
export const CreatePortResponse = define('bess.pb.CreatePortResponse', { error, name: string(2), macAddr: string(3) })
export const DestroyPortRequest = define('bess.pb.DestroyPortRequest', { name: string(1) })
export const GetPortStatsRequest = define('bess.pb.GetPortStatsRequest', { name: string(1) })
export const PortStat = define('bess.pb.GetPortStatsResponse.Stat', {
  packets: safeUint64(1),
  dropped: safeUint64(2),
  bytes: safeUint64(3),
})
export const GetPortStatsResponse = define('bess.pb.GetPortStatsResponse', { error, inc: message(2, PortStat), out: message(3, PortStat) })

export const ListedModule = define('bess.pb.ListModulesResponse.Module', { name: string(1), mclass: string(2), desc: string(3) })
export type ListedModule = ReadOf<typeof ListedModule>
export const ListModulesResponse = define('bess.pb.ListModulesResponse', { error, modules: repeated(message(2, ListedModule)) })
export const CreateModuleRequest = define('bess.pb.CreateModuleRequest', { name: string(1), mclass: string(2), arg: message(3, Any) })
export const CreateModuleResponse = define('bess.pb.CreateModuleResponse', { error, name: string(2) })
export const DestroyModuleRequest = define('bess.pb.DestroyModuleRequest', { name: string(1) })
export const GetModuleInfoRequest = define('bess.pb.GetModuleInfoRequest', { name: string(1) })
const UpstreamGate = define('bess.pb.GetModuleInfoResponse.IGate.OGate', { ogate: safeUint64(1), name: string(2) })
const InputGate = define('bess.pb.GetModuleInfoResponse.IGate', { igate: safeUint64(1), ogates: repeated(message(2, UpstreamGate)) })
const OutputGate = define('bess.pb.GetModuleInfoResponse.OGate', {
  ogate: safeUint64(1),
  cnt: safeUint64(2),
  pkts: safeUint64(3),
  name: string(6),
  igate: safeUint64(7),
})
export const GetModuleInfoResponse = define('bess.pb.GetModuleInfoResponse', {
  error,
  name: string(2),
  mclass: string(3),
  desc: string(4),
  igates: repeated(message(6, InputGate)),
  ogates: repeated(message(7, OutputGate)),
})
export const ConnectModulesRequest = define('bess.pb.ConnectModulesRequest', {
  m1: string(1),
  m2: string(2),
  ogate: safeUint64(3),
  igate: safeUint64(4),
  skipDefaultHooks: bool(5),
})
export const DisconnectModulesRequest = define('bess.pb.DisconnectModulesRequest', { name: string(1), ogate: safeUint64(2) })
export const CommandRequest = define('bess.pb.CommandRequest', { name: string(1), cmd: string(2), arg: message(3, Any) })
export const CommandResponse = define('bess.pb.CommandResponse', { error, data: message(2, Any) })

export const PortConf = define('bess.pb.PortConf', { macAddr: string(1), mtu: uint32(2), adminUp: bool(3) })
