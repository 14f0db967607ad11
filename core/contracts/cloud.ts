// A VPC service that is not ours: networks, subnets and ports that are remote, come late, and are changed by others too.
import type { CloudState, Vif } from '../kinds/vpc/at-provider.ts'
import type { Ref, SpecOf } from '../kinds/index.ts'
import type { Learned } from '../kinds/vpc/subnet.ts'
import type { Driver } from './driver.ts'

/** What stands at the cloud, of whatever kind. */
export interface CloudThing {
  readonly id: string
  readonly name: string
  readonly state: CloudState
  /** In the cloud's own words, where it has failed. */
  readonly message?: string
  /** Another one, whenever the cloud has changed anything of it. */
  readonly revision: string
  /** UID of the object of ours that has made or adopted it; undefined: nobody's. */
  readonly owner: string | undefined
}
export interface CloudNetwork extends CloudThing {
  /** For everybody at the cloud: any number of Vpcs may be it, and none of them writes on it. */
  readonly shared?: boolean
  readonly mtu?: number
}
export interface CloudSubnet extends CloudThing {
  /** In a network for everybody, where any number of Subnets may be it, and none of them writes on it. */
  readonly shared?: boolean
  readonly learned: Learned
}
export interface CloudPort extends CloudThing {
  readonly addresses: readonly string[]
  readonly mac: string | undefined
  readonly settings: PortSettings
  /** Name of the Node that it is bound to. */
  readonly host: string | undefined
  /** How that node plugs it in; undefined until the cloud has bound it. `node` is who it is bound to. */
  readonly vif: Vif | undefined
  /** Why the cloud has not bound it to that host, in its own words: asked again it may. */
  readonly unbound?: string
  /** Where else it is bound: its VM may come there. */
  readonly second?: SecondBinding
  readonly mtu?: number
}

/** Of a port: its VM is to come there, and nothing of it goes there before it speaks or the port is bound there. */
export interface SecondBinding {
  /** Name of the Node. */
  readonly host: string
  /** How that node plugs it in; undefined: half of it is there, and it is to be asked for again, or taken away. */
  readonly vif: Vif | undefined
}

/** One thing that a group lets through. */
export interface CloudRule {
  readonly direction: 'ingress' | 'egress'
  readonly family: 4 | 6
  /** IP's number; absent: any. */
  readonly protocol?: number
  /** Destination ports, of which the first alone is one; of ICMP type and code. */
  readonly first?: number
  readonly last?: number
  /** Whom it is from or to: a block, or the ports of the group of this ID; of neither, anybody. */
  readonly block?: string
  readonly group?: string
}
export interface CloudGroup extends CloudThing {
  readonly rules: readonly CloudRule[]
  /** How many more it has: that no CloudRule says, or that stand there twice. */
  readonly strange?: number
}

/** What of a port may be changed as long as it is there. */
export interface PortSettings {
  /** The cloud's own, as the Port names them: a driver says what they are there. What we have made of a SecurityGroup has no name here. */
  readonly securityGroups: readonly string[]
  /** IDs of those that we have made there of SecurityGroups. */
  readonly groups: readonly string[]
  readonly portSecurity: boolean
  /** Nothing passes there, whatever its groups let through. */
  readonly closed: boolean
  /** The cloud's own. */
  readonly qosPolicy: { readonly id: string; readonly name: string } | undefined
  readonly allowedAddressPairs: NonNullable<SpecOf<'Port'>['allowedAddressPairs']>
}
export interface NetworkWanted {
  readonly mtu?: number | undefined
}
export type SubnetWanted = Pick<SpecOf<'Subnet'>, 'ipv4' | 'ipv6' | 'routes' | 'dns'>
export interface GroupWanted {
  /** Each once. What is not among them does not pass. */
  readonly rules: readonly CloudRule[]
}
export interface PortWanted extends Omit<PortSettings, 'securityGroups' | 'qosPolicy'> {
  /** Name or ID; null: none; undefined: whichever it has. */
  readonly qosPolicy: string | null | undefined
  /** Undefined: those that the cloud chooses. */
  readonly securityGroups: PortSettings['securityGroups'] | undefined
  /** Fixed ones; the cloud chooses of each family that is not among them. */
  readonly addresses: readonly string[]
  readonly mac: string | undefined
  readonly host: string | undefined
}

/** The kinds of things, and what is asked for and found of each. */
export interface CloudKinds {
  readonly network: { readonly wanted: NetworkWanted; readonly there: CloudNetwork }
  readonly subnet: { readonly wanted: SubnetWanted; readonly there: CloudSubnet }
  readonly port: { readonly wanted: PortWanted; readonly there: CloudPort }
  readonly group: { readonly wanted: GroupWanted; readonly there: CloudGroup }
}
export type CloudKind = keyof CloudKinds

export interface CloudScope {
  /** The object of ours: what is made for it carries its UID, and a name that follows from that. */
  readonly of: Ref & { readonly uid: string }
  /** Name or ID of what is there already, in place of one that is made. */
  readonly existing: string | undefined
  /** IDs of what it is in. A port whose Subnet is no longer known is still found by its owner. */
  readonly network: string | undefined
  readonly subnet: string | undefined
  /** ID that its status tells: where lists lag, that is surer than its name. */
  readonly known?: string
  /** UID of the object of ours that it may have been made for, and is being taken from. */
  readonly formerly?: string
  /** Of a port: UID of the pod that it is for. */
  readonly pod?: string | undefined
  /** Of a port: its VM may move, so that its second binding is to be seen. */
  readonly moves?: boolean
}

export type CloudAction<K extends CloudKind> =
  /** One that is there of this owner already is taken for it. */
  | { readonly do: 'create'; readonly scope: CloudScope; readonly wanted: CloudKinds[K]['wanted'] }
  | { readonly do: 'adopt'; readonly scope: CloudScope; readonly there: CloudKinds[K]['there'] }
  | { readonly do: 'update'; readonly scope: CloudScope; readonly there: CloudKinds[K]['there']; readonly wanted: CloudKinds[K]['wanted'] }
  /** host undefined: it is on no node any more. Where it was bound before, and where else, it is bound no more. */
  | { readonly do: 'bind'; readonly scope: CloudScope; readonly there: CloudKinds[K]['there']; readonly host: string | undefined }
  /** Of a port: it has a second binding, to that host; undefined: it has none. What it is bound to now stays. */
  | { readonly do: 'expect'; readonly scope: CloudScope; readonly there: CloudKinds[K]['there']; readonly host: string | undefined }
  | { readonly do: 'delete'; readonly scope: CloudScope; readonly there: CloudKinds[K]['there'] }
  /** What was made ahead for another object of ours, there.owner, is this one's from now on, as if it had been made for it. */
  | { readonly do: 'claim'; readonly scope: CloudScope; readonly there: CloudKinds[K]['there'] }
  /** An adopted object has no owner again, and is on no node. */
  | { readonly do: 'release'; readonly scope: CloudScope; readonly there: CloudKinds[K]['there'] }

export interface CloudProblem {
  readonly reason: 'CloudUnreachable' | 'CloudMissing' | 'CloudNotAllowed' | 'CloudUnusable'
  readonly message: string
}
export interface CloudSeen<K extends CloudKind> {
  readonly there: CloudKinds[K]['there'] | undefined
  /** More of this owner, where a cloud refuses no second one, and requests were under way at once: one stays. */
  readonly doubles?: readonly CloudKinds[K]['there'][]
  /** Why nothing is known: the cloud does not answer, or is not to be asked. */
  readonly problem?: CloudProblem
}

/** One thing of a list of all. */
export type CloudItem = { readonly [K in CloudKind]: CloudItemOf<K> }[CloudKind]
export interface CloudItemOf<K extends CloudKind> {
  readonly kind: K
  readonly there: CloudKinds[K]['there']
  /** IDs of what it is in. */
  readonly network: string | undefined
  readonly subnet: string | undefined
  /** For its owner; else it was there before, and is let go in place of being deleted. */
  readonly isMade: boolean
}

/**
 * Beside the six laws of a driver, each of them keeps:
 * 7 fence: of one owner there is at most one thing, however many create it at once, and however late a request lands; where a cloud
 *   refuses no second one, `observe` shows all, so that one stays;
 * 8 adopt, claim, update, bind, expect and release hold at the revision that was read, else they throw CloudOvertaken;
 * 9 deleting or releasing what is gone, or is another's by now, is done, and what was adopted is never deleted by its owner's end;
 * 10 a request whose sender is gone takes effect within `landsWithinMs`, or never;
 * 11 a port has one second binding at most. One that is refused leaves nothing, and the port as it was. `bind` to where it is makes it
 *   the first; cut off in the middle the port is bound to one of both, and what is left of the other is seen as its second.
 * It throws CloudUnreachable where nobody knows whether it was done, CloudRefused with the cloud's words where it was not and will not be.
 */
export type CloudThingDriver<K extends CloudKind> = Driver<CloudScope, CloudSeen<K>, CloudAction<K>>

export interface CloudGroupDriver extends CloudThingDriver<'group'> {
  /** Why there is no such rule at the cloud; undefined: there is. */
  readonly cannot: (rule: CloudRule) => string | undefined
}

/** How many ports a project may have. */
export interface PortQuota {
  /** With those that are being made. */
  readonly used: number
  /** Infinity: as many as it likes. */
  readonly limit: number
}

/** Whose a token of a cloud's own is. */
export interface TokenBearer {
  readonly name: string
  /** Where the token is for. */
  readonly roles: readonly string[]
}

export interface CloudDriver {
  readonly network: CloudThingDriver<'network'>
  readonly subnet: CloudThingDriver<'subnet'>
  readonly port: CloudThingDriver<'port'>
  /** Absent: SecurityGroups are not made at this cloud, and a Port names groups of the cloud's own. */
  readonly group?: CloudGroupDriver
  /** Milliseconds. */
  readonly landsWithinMs: number
  /**
   * Everything at the cloud, read live. `ours`: what has an owner of this installation, which marks what it makes and adopts with the UID
   * of the Cloud: others may use the same project. `nobodys`: what has no owner, of this installation or of another, and no groups.
   */
  inventory(of: 'ours' | 'nobodys', signal: AbortSignal): Promise<readonly CloudItem[]>
  /** Of ports, for those that make them. Absent: nobody counts. */
  quota?(signal: AbortSignal): Promise<PortQuota>
  /** Whose a token is, by the cloud's own word; undefined: nobody's. Absent: it has none. @throws CloudUnreachable where nobody knows */
  bearer?(token: string, signal: AbortSignal): Promise<TokenBearer | undefined>
  /** Calls back with the UID of whose thing has changed at the cloud. Absent: it is looked at by time alone. The answer ends it. */
  onChange?(wake: (kind: CloudKind, uid: string) => void): () => void
  close(): Promise<void>
}
