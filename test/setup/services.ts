import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedisServer } from '../../platform/redis-server.ts'
import { component, components, serverComponents } from '../../lab/programs/binaries.ts'
import { dpdkMissing } from '../../lab/dpdk.ts'
import { chromiumProgram } from '../../lab/programs/chromium.ts'
import { buildPage } from '../../lab/programs/page.ts'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { bessProgram } from '../../lab/programs/bess.ts'
import { buildahMissing } from '../../lab/image/buildah.ts'
import { clusterPrograms, standardPlugins } from '../../lab/cluster/programs.ts'
import { gnmiProgram } from '../../lab/programs/gnmi.ts'
import { machineImage } from '../../lab/programs/machine-image.ts'
import { peerProgram } from '../../lab/programs/peer.ts'
import { multusPrograms } from '../../lab/programs/multus.ts'
import { prometheusPrograms } from '../../lab/programs/prometheus.ts'
import { haproxyMissing } from '../../lab/programs/haproxy.ts'
import { keepalivedMissing } from '../../lab/programs/keepalived.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { openstackMissing } from '../../lab/openstack/packages.ts'
import { preparedData } from '../../lab/openstack/prepared.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import type { Service } from './groups.ts'
import { startKube } from './kube.ts'

/** Variables for the tests, or a sentence for each thing that is missing. */
export type Provided = { readonly env: Readonly<Record<string, string>> } | { readonly missing: readonly string[] }

export interface Services {
  /** Starts it when it is first asked for; later askers share it. */
  get(service: Service): Promise<Provided>
  close(): Promise<void>
}

type Closer = () => Promise<void>

interface Allowed {
  /** Debian's packages. */
  readonly install: boolean
  /** What takes minutes to build and an everyday run can do without. */
  readonly build?: boolean
}

/** One Redis and one API server for all groups of a run. */
export function openServices({ install, build = true }: Allowed): Services {
  const both = install && build
  const open = new Map<Service, Promise<Provided>>()
  const closers: Closer[] = []
  let last: Promise<unknown> = Promise.resolve()
  const start = {
    redis: () => redis(install, closers),
    kube: () => kube(closers),
    ovs: () => ovs(install),
    gnmi: () => gnmi(both),
    bess: () => bess(both),
    'policy-oracle': () => policyOracle(both),
    'nsm-peer': () => nsmPeer(both),
    cluster: () => cluster({ install, build }),
    multus: () => multus(both),
    buildah: () => buildah(both),
    dpdk: () => dpdk(both),
    prometheus: () => prometheus(both),
    cnitool: () => cnitool(install),
    chromium: () => browser(install),
    openstack: () => openstack(both),
    machines: () => machines(install),
    bgp: () => bgp(install),
    keepalived: () => keepalived(install),
    haproxy: () => haproxy(install),
  }
  return {
    get(service) {
      // One after the other: apt-get locks others out, and Go takes all cores for itself.
      const provided = open.get(service) ?? last.then(start[service])
      last = provided.catch(() => undefined)
      open.set(service, provided)
      return provided
    },
    async close() {
      for (const closer of closers.toReversed()) await closer()
    },
  }
}

async function redis(install: boolean, closers: Closer[]): Promise<Provided> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-redis-'))
  const server = await startRedisServer({ folder, install })
  closers.push(async () => {
    if ('stop' in server) await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return 'missing' in server ? { missing: [server.missing] } : { env: { MEGREZ_TEST_REDIS: server.socket } }
}

async function kube(closers: Closer[]): Promise<Provided> {
  const programs = await components(serverComponents)
  if ('missing' in programs) return programs
  const server = await startKube({ etcd: programs.etcd, kubeApiserver: programs['kube-apiserver'] })
  closers.push(() => server.stop())
  return { env: { MEGREZ_TEST_KUBE: server.kubeconfig, MEGREZ_TEST_KUBECTL: programs.kubectl, MEGREZ_TEST_HELM: programs.helm } }
}

/** Tests start switches of their own, in namespaces of their own: only the programs are shared. */
async function ovs(install: boolean): Promise<Provided> {
  const missing = await ovsMissing({ install, print: (line) => console.error(line) })
  return missing === undefined ? { env: { MEGREZ_TEST_OVS: 'on PATH' } } : { missing: [missing] }
}

/** Its tests start clusters of their own; here all they need is built or installed. */
async function cluster({ install, build }: Required<Allowed>): Promise<Provided> {
  const programs = await clusterPrograms({ install, build, print: (line) => void process.stderr.write(`${line}\n`) })
  const proxy = await component('kube-proxy', { build })
  if ('missing' in programs || 'missing' in proxy)
    return { missing: [...('missing' in programs ? programs.missing : []), ...('missing' in proxy ? [proxy.missing] : [])] }
  return { env: { MEGREZ_TEST_CLUSTER: 'true', MEGREZ_TEST_KUBE_PROXY: proxy.path } }
}

/** A test puts it into a cluster of its own. */
async function multus(install: boolean): Promise<Provided> {
  const files = await multusPrograms({ install, print: (line) => void process.stderr.write(`${line}\n`) })
  return 'missing' in files
    ? { missing: [files.missing] }
    : { env: { MEGREZ_TEST_MULTUS: files.folder, MEGREZ_TEST_MULTUS_MANIFEST: files.manifest } }
}

/** The pods of a cluster run an image that it builds. */
async function buildah(install: boolean): Promise<Provided> {
  const missing = await buildahMissing({ install, print: (line) => void process.stderr.write(`${line}\n`) })
  return missing === undefined ? { env: { MEGREZ_TEST_BUILDAH: 'on PATH' } } : { missing: [missing] }
}

/** Tests start switches of their own, and raise the huge pages that these need. */
async function dpdk(install: boolean): Promise<Provided> {
  const missing = await dpdkMissing({ install, print: (line) => console.error(line) })
  return missing === undefined ? { env: { MEGREZ_TEST_DPDK: 'can be started' } } : { missing: [missing] }
}

/** Tests start targets of their own: only the program is shared. */
async function gnmi(install: boolean): Promise<Provided> {
  const program = await gnmiProgram({ install, print: (line) => console.error(line) })
  return 'missing' in program ? { missing: [program.missing] } : { env: { MEGREZ_TEST_GNMI: program.path } }
}

/** A test starts one of its own. */
async function policyOracle(install: boolean): Promise<Provided> {
  const program = await peerProgram('policy-oracle', { install, print: (line) => console.error(line) })
  return 'missing' in program ? { missing: [program.missing] } : { env: { MEGREZ_TEST_POLICY_ORACLE: program.path } }
}

/** Tests start processes of it. */
async function nsmPeer(install: boolean): Promise<Provided> {
  const program = await peerProgram('nsm', { install, print: (line) => console.error(line) }, 'nsm-peer')
  return 'missing' in program ? { missing: [program.missing] } : { env: { MEGREZ_TEST_NSM_PEER: program.path } }
}

/** Tests start daemons of their own: a worker takes a whole core. */
async function bess(install: boolean): Promise<Provided> {
  const program = await bessProgram({ install, print: (line) => console.error(line) })
  return 'missing' in program ? { missing: [program.missing] } : { env: { MEGREZ_TEST_BESSD: program.path } }
}

/** A test starts one of its own. */
async function prometheus(install: boolean): Promise<Provided> {
  const programs = await prometheusPrograms({ install, print: (line) => void process.stderr.write(`${line}\n`) })
  return 'missing' in programs
    ? { missing: [programs.missing] }
    : { env: { MEGREZ_TEST_PROMETHEUS: programs.prometheus, MEGREZ_TEST_PROMTOOL: programs.promtool } }
}

/** Tests start browsers of their own: only the program is shared, and the page, which is built here. */
async function browser(install: boolean): Promise<Provided> {
  const program = await chromiumProgram({ install, print: (line) => console.error(line) })
  if ('missing' in program) return { missing: [program.missing] }
  await buildPage()
  return { env: { MEGREZ_TEST_CHROMIUM: program.path } }
}

/** Tests start servers of their own, on copies of databases that are made here. */
async function openstack(install: boolean): Promise<Provided> {
  const print = (line: string): void => console.error(line)
  const missing = await openstackMissing({ install, print })
  if (missing !== undefined) return { missing: [missing] }
  await preparedData((await freePorts(1))[0]!, print)
  return { env: { MEGREZ_TEST_OPENSTACK: 'on PATH' } }
}

/** Tests boot virtual machines of their own. */
async function machines(install: boolean): Promise<Provided> {
  const image = await machineImage({ install, print: (line) => console.error(line) })
  if ('missing' in image) return { missing: [image.missing] }
  return { env: { MEGREZ_TEST_MACHINE_KERNEL: image.kernel, MEGREZ_TEST_MACHINE_INITRD: image.initrd } }
}

/** Tests start daemons of their own, in namespaces of their own. */
async function bgp(install: boolean): Promise<Provided> {
  const missing = await bgpMissing({ install, print: (line) => console.error(line) })
  return missing === undefined ? { env: { MEGREZ_TEST_BGP: 'on PATH' } } : { missing: [missing] }
}

/** Tests start it in pods of theirs. */
async function keepalived(install: boolean): Promise<Provided> {
  const missing = await keepalivedMissing({ install, print: (line) => console.error(line) })
  return missing === undefined ? { env: { MEGREZ_TEST_KEEPALIVED: 'on PATH' } } : { missing: [missing] }
}

/** Tests start it in namespaces of theirs. */
async function haproxy(install: boolean): Promise<Provided> {
  const missing = await haproxyMissing({ install, print: (line) => console.error(line) })
  return missing === undefined ? { env: { MEGREZ_TEST_HAPROXY: 'on PATH' } } : { missing: [missing] }
}

/** A program that calls plugins as runtimes do, and the standard plugins for chains with ours. */
async function cnitool(install: boolean): Promise<Provided> {
  const [tool, plugins] = [await component('cnitool'), await standardPlugins({ install, print: (line) => console.error(line) })]
  if ('path' in tool && 'folder' in plugins) return { env: { MEGREZ_TEST_CNITOOL: tool.path, MEGREZ_TEST_CNI_PLUGINS: plugins.folder } }
  return { missing: [tool, plugins].flatMap((each) => ('missing' in each ? [each.missing] : [])) }
}
