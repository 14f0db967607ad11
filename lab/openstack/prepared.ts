// Databases with the schemas of Neutron and Keystone, and with Keystone's people: made once, and copied for each lab.
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached } from '../../platform/programs/cache.ts'
import { run } from '../../platform/programs/run.ts'
import { makeKeystone } from './keystone.ts'
import { initMariaDb, startMariaDb, type MariaDb } from './mariadb.ts'
import { openstackVersions } from './packages.ts'
import { iniOf } from './settings.ts'

/** Where `mysql`, `fernet` and `credential` are. @param l4Port free */
export async function preparedData(l4Port: number, print: (line: string) => void): Promise<string> {
  const sources = await Promise.all(
    ['prepared.ts', 'keystone.ts', 'mariadb.ts'].map((file) => readFile(join(import.meta.dirname, file), 'utf8')),
  )
  const hash = createHash('sha256')
    .update([await openstackVersions(), ...sources].join('\0'))
    .digest('hex')
    .slice(0, 16)
  return cached(`openstack-${hash}`, async (folder) => {
    print('databases of Neutron and Keystone: made once, in about a minute')
    await initMariaDb(folder)
    const database = await startMariaDb(folder)
    try {
      await Promise.all([makeKeystone({ folder, database, l4Port }), makeNeutron(folder, database)])
    } finally {
      await database.stop()
    }
  })
}

async function makeNeutron(folder: string, database: MariaDb): Promise<void> {
  await database.sql('create database neutron character set utf8mb3')
  const config = join(folder, 'neutron.conf')
  await writeFile(config, iniOf({ DEFAULT: { core_plugin: 'ml2' }, database: { connection: database.url('neutron') } }))
  const { code, stderr } = await run('neutron-db-manage', ['--config-file', config, 'upgrade', 'heads'])
  if (code !== 0) throw new Error(`neutron-db-manage: ${stderr.trim().split('\n').slice(-3).join('\n')}`)
}

/** A copy of the databases, served. */
export async function startPrepared(made: string, folder: string): Promise<MariaDb> {
  await mkdir(folder, { recursive: true })
  await cp(join(made, 'mysql'), join(folder, 'mysql'), { recursive: true })
  return startMariaDb(folder)
}
