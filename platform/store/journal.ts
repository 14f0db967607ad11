// The file: one SQLite database, one row an object, one transaction a group of commits.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { StoreInUse, StoreUnavailable } from '../../core/errors.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'

export type Synchronous = 'FULL' | 'NORMAL'

export class Journal {
  #database: DatabaseSync
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
        CREATE TABLE IF NOT EXISTS objects (kind TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS versions (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
        COMMIT`)
    } catch (cause) {
      this.#database.close()
      if (String(cause).includes('locked')) throw new StoreInUse({ file, cause })
      throw new StoreUnavailable({ reason: `${file}: ${String(cause)}`, cause })
    }
    this.#put = this.#database.prepare('INSERT OR REPLACE INTO objects (kind, key, body) VALUES (?, ?, ?)')
    this.#drop = this.#database.prepare('DELETE FROM objects WHERE kind = ? AND key = ?')
    this.#mark = this.#database.prepare('INSERT OR REPLACE INTO versions (one, version) VALUES (1, ?)')
  }

  /** Everything that is there, and the latest resourceVersion that was ever given. */
  *read(): Generator<Resource> {
    for (const row of this.#database.prepare('SELECT body FROM objects').iterate()) yield JSON.parse(row['body'] as string) as Resource
  }

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
    try {
      this.#database.exec('BEGIN')
      for (const [kind, key, item] of changes) {
        if (item === undefined) this.#drop.run(kind, key)
        else this.#put.run(kind, key, JSON.stringify(item))
      }
      this.#mark.run(version)
      this.#database.exec('COMMIT')
    } catch (cause) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw new StoreUnavailable({ reason: String(cause), cause })
    }
  }

  close(): void {
    this.#database.close()
  }
}
