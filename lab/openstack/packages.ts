// The distribution's OpenStack for tests: Neutron with its two drivers of Open vSwitch, Keystone, and what these need. One transaction
// of the package manager brings all of it; no service of the distribution's is started.
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { run } from '../../platform/programs/run.ts'

const needed: Readonly<Record<string, string>> = {
  'neutron-server': 'neutron-server',
  'neutron-openvswitch-agent': 'neutron-openvswitch-agent',
  'keystone-manage': 'keystone',
  mariadbd: 'mariadb-server',
  'rabbitmq-server': 'rabbitmq-server',
  epmd: 'erlang-base',
  'ovn-northd': 'ovn-central',
  'ovn-controller': 'ovn-host',
  uwsgi: 'uwsgi-core',
  socat: 'socat',
}
/** Without a program of their own. */
const beside = ['python3-pymysql', 'uwsgi-plugin-python3']
const missing = (): string[] => Object.keys(needed).filter((program) => onPath(program) === undefined)

/** Installs them where that is allowed. @returns undefined when all is there, else what is missing */
export async function openstackMissing({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<string | undefined> {
  if (missing().length > 0 && install) {
    const why = await installPackages([...new Set(Object.values(needed)), ...beside], print)
    if (why !== undefined) return `OpenStack: ${why}`
  }
  return missing().length > 0 ? `OpenStack: ${missing().join(', ')} not on PATH, and installing was declined` : undefined
}

/** What a schema was made with: another version may have another schema. */
export async function openstackVersions(): Promise<string> {
  const { stdout } = await run('dpkg-query', ['-W', 'neutron-common', 'keystone-common', 'mariadb-server-core'])
  return stdout
}
