// A MariaDB of one lab: its data in a folder, and only a unix socket leads there.
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'
import { until } from '../../platform/programs/until.ts'
import { keep } from '../../platform/redis-server/keep.ts'

export interface MariaDb {
  /** For SQLAlchemy. */
  url(database: string): string
  /** @throws Error with what it said */
  sql(statements: string): Promise<string>
  /** Its data is whole afterwards. */
  stop(): Promise<void>
}

/** Sizes that matter where the data is copied for each lab; what a crash of the machine would lose is of no worth. */
const settings = (folder: string): string[] => [
  '--no-defaults',
  `--datadir=${join(folder, 'mysql')}`,
  '--innodb-log-file-size=8M',
  '--innodb-undo-tablespaces=0',
]

/** Makes the data of a server without databases. */
export async function initMariaDb(folder: string): Promise<void> {
  const { code, stderr, stdout } = await run('mariadb-install-db', [
    ...settings(folder),
    '--user=root',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ])
  if (code !== 0) throw new Error(`mariadb-install-db: ${stderr || stdout}`)
}

/** @param folder with the data in `mysql`; its socket and log go there too, so keep its path short */
export async function startMariaDb(folder: string): Promise<MariaDb> {
  const socket = join(folder, 'my.sock')
  const args = [
    `--socket=${socket}`,
    `--pid-file=${join(folder, 'my.pid')}`,
    '--skip-networking',
    '--skip-grant-tables',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=0',
    '--innodb-buffer-pool-size=128M',
    '--max-connections=500',
    '--user=root',
  ]
  const kept = await keep('mariadbd', [...settings(folder), ...args], { log: join(folder, 'mariadbd.log') })
  const sql = async (statements: string): Promise<string> => {
    const { code, stdout, stderr } = await run('mariadb', ['--no-defaults', `--socket=${socket}`, '-N', '-e', statements])
    if (code !== 0) throw new Error(`mariadb: ${stderr}`)
    return stdout
  }
  await until(() => sql('select 1').then(() => true), 'MariaDB answers')
  return {
    url: (database) => `mysql+pymysql://root@localhost/${database}?unix_socket=${socket}`,
    sql,
    stop: () => kept.stop(),
  }
}
