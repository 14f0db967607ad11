// The file: one SQLite database, one row an object, one transaction a group of commits. Nothing is ever looked up in it, so
// it has no key of its own: which row is whose is known in memory, new rows stand at the end, and a group of new objects
// with random names touches few pages (measured 2026-11: half the CPU and a third of the system time of a key by name).
import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { StoreInUse, StoreUnavailable } from '../../core/errors.ts'
import { keyOf, type Resource } from '../../core/kinds/index.ts'

/**
 * What is on disk when a write resolves. FULL: all of it, come what may. NORMAL: what kill -9 cannot take; power loss may take the
 * last moments.
 */
export type Synchronous = 'FULL' | 'NORMAL'

const datasync = promisify(fdatasync)

export class Journal {
  #database: DatabaseSync
  /** The write-ahead log, where we flush it ourselves: SQLite's own FULL would hold up the event loop meanwhile. */
  #log: number | undefined
  #broken: Error | undefined
  /** `kind key` → its row. */
  #rows = new Map<string, number>()
  #add: StatementSync
  #put: StatementSync
  #drop: StatementSync
  #mark: StatementSync

  /** @throws StoreInUse while another process has the file open */
  constructor(file: string, synchronous: Synchronous) {
    this.#database = new DatabaseSync(file)
    try {
      // Exclusive: one process owns the file, so nothing changes behind our back and no shared-memory file is needed.
      this.#database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 0;
        BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS items (row INTEGER PRIMARY KEY, body TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS versions (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
        COMMIT`)
      if (synchronous === 'FULL' && file !== ':memory:') this.#log = openLog(file)
    } catch (cause) {
      this.#database.close()
      if (String(cause).includes('locked')) throw new StoreInUse({ file, cause })
      throw new StoreUnavailable({ reason: `${file}: ${String(cause)}`, cause })
    }
    this.#add = this.#database.prepare('INSERT INTO items (body) VALUES (?)')
    this.#put = this.#database.prepare('UPDATE items SET body = ? WHERE row = ?')
    this.#drop = this.#database.prepare('DELETE FROM items WHERE row = ?')
    this.#mark = this.#database.prepare('INSERT OR REPLACE INTO versions (one, version) VALUES (1, ?)')
  }

  /** Everything that is there: to be read once, before anything is written. */
  *read(): Generator<Resource> {
    for (const { row, body } of this.#database.prepare('SELECT row, body FROM items').iterate()) {
      const item = JSON.parse(body as string) as Resource
      this.#rows.set(`${item.kind} ${keyOf(item.metadata)}`, Number(row))
      yield item
    }
  }

  /** The latest resourceVersion that was ever given. */
  version(): number {
    const row = this.#database.prepare('SELECT version FROM versions').get()
    return row === undefined ? 0 : Number(row['version'])
  }

  /**
   * Puts a group of changes on disk, all or none. The event loop goes on while the disk flushes: nobody may be told of the changes,
   * and nothing else written, before this resolves.
   *
   * @param changes object or undefined for deleted, by `kind key`
   * @throws StoreUnavailable: disk full, read-only; nothing has changed. Once a flush has failed nobody knows what is on disk: then
   *         every write after it fails too, until the file is opened anew
   */
  async write(changes: ReadonlyMap<string, Resource | undefined>, version: number): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    this.#transact(changes, version)
    if (this.#log === undefined) return
    try {
      await datasync(this.#log)
    } catch (cause) {
      this.#broken = new StoreUnavailable({ reason: `what was written could not be flushed: ${String(cause)}`, cause })
      throw this.#broken
    }
  }

  #transact(changes: ReadonlyMap<string, Resource | undefined>, version: number): void {
    const moved = new Map<string, number | undefined>()
    try {
      this.#database.exec('BEGIN')
      for (const [name, item] of changes) this.#change(name, item, moved)
      this.#mark.run(version)
      this.#database.exec('COMMIT')
    } catch (cause) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw new StoreUnavailable({ reason: String(cause), cause })
    }
    for (const [name, row] of moved) {
      if (row === undefined) this.#rows.delete(name)
      else this.#rows.set(name, row)
    }
  }

  /** @param moved what the rows of names will be once the transaction has succeeded */
  #change(name: string, item: Resource | undefined, moved: Map<string, number | undefined>): void {
    const row = this.#rows.get(name)
    if (item === undefined) {
      if (row === undefined) return
      this.#drop.run(row)
      moved.set(name, undefined)
    } else if (row === undefined) moved.set(name, Number(this.#add.run(JSON.stringify(item)).lastInsertRowid))
    else this.#put.run(JSON.stringify(item), row)
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log)
    this.#database.close()
  }
}

/**
 * The log of a database that is open. Flushing it is what SQLite's synchronous=FULL does at each commit beyond NORMAL
 * (https://sqlite.org/pragma.html#pragma_synchronous, https://sqlite.org/wal.html; 2026-11); checkpoints flush in both.
 */
function openLog(file: string): number {
  const log = openSync(`${file}-wal`, 'r+')
  // That the file is there is its folder's to remember.
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
  return log
}
