// The file: one SQLite database, one row an object, one transaction a group of commits. Nothing is ever looked up in it, so
// it has no key of its own: which row is whose is known in memory, new rows stand at the end, and a group of new objects
// with random names touches few pages (measured 2026-11: half the CPU and a third of the system time of a key by name).
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { StoreInUse, StoreUnavailable } from '../../core/errors.ts'
import { keyOf, type Kind, type Resource } from '../../core/kinds/index.ts'

export type Synchronous = 'FULL' | 'NORMAL'

export class Journal {
  #database: DatabaseSync
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
      this.#database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 0;
        BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS items (row INTEGER PRIMARY KEY, body TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS versions (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
        COMMIT`)
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
   * Puts a group of changes on disk, all or none; on return they survive kill -9.
   *
   * @param changes [kind, key, object or undefined for deleted], the last one of each key
   * @throws StoreUnavailable: disk full, read-only; nothing has changed
   */
  write(changes: Iterable<readonly [Kind, string, Resource | undefined]>, version: number): void {
    const moved = new Map<string, number | undefined>()
    try {
      this.#database.exec('BEGIN')
      for (const [kind, key, item] of changes) this.#change(`${kind} ${key}`, item, moved)
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
    this.#database.close()
  }
}
