// The disk as a ledger needs it, as something handed in: a simulation has another.
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { DiskFull, InUse } from '../../core/errors.ts'

/** A file that is there whole, and grows at its end. */
export interface Growing {
  /** All of it or nothing: where it fails, the next finds the file as it was. @throws DiskFull */
  append(text: string): Promise<void>
  close(): Promise<void>
}
export interface Disk {
  /** Undefined where there is none. */
  read(path: string): Promise<string | undefined>
  /**
   * A file of this text in the place of whatever is there, folders included: others see the old or the new one, never half of it.
   * @throws DiskFull
   */
  replace(path: string, text: string): Promise<Growing>
  /** A file that is there, as far as it begins with this text: what follows is cut off. Needs no room. */
  resume(path: string, text: string): Promise<Growing>
  rename(from: string, to: string): Promise<void>
  /** Also of what is gone. */
  remove(path: string): Promise<void>
  /**
   * Nobody else has what is in this folder until it is given back, or this process ends.
   * @throws InUse
   */
  claim(folder: string): Promise<() => Promise<void>>
}

/** Of the process. */
export const thisDisk: Disk = {
  async read(path) {
    try {
      return await readFile(path, 'utf8')
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw err
    }
  },
  async replace(path, text) {
    const next = `${path}.next`
    await filling(path, () => mkdir(dirname(path), { recursive: true, mode: 0o700 }))
    const file = await filling(path, () => open(next, 'w', 0o600))
    try {
      await filling(path, () => file.writeFile(text))
      await rename(next, path)
      return new GrowingFile(file, path, Buffer.byteLength(text))
    } catch (err) {
      await file.close()
      // What is left of it takes room that is missing.
      await rm(next, { force: true })
      throw err
    }
  },
  async resume(path, text) {
    const file = await open(path, 'r+')
    const length = Buffer.byteLength(text)
    try {
      await file.truncate(length)
      return new GrowingFile(file, path, length)
    } catch (err) {
      await file.close()
      throw err
    }
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  claim,
}

/** An abstract unix socket (unix(7)) named after the folder, of the node's network namespace, where every agent is: no file is left. */
async function claim(folder: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return () => Promise.resolve()
  const server = createServer((socket) => socket.destroy())
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 24)
  await new Promise<void>((done, reject) => {
    server.once('error', (cause) => reject(new InUse({ what: `the ledger in ${folder}`, owner: 'another agent, which still runs', cause })))
    server.listen(`\0megrez-ledger-${name}`, done)
  })
  // It ends with its process, and is no reason for one to go on.
  server.unref()
  return () => new Promise((done) => server.close(() => done()))
}

class GrowingFile implements Growing {
  readonly #file: FileHandle
  readonly #path: string
  /** As much of it as is whole. */
  #length: number
  /** There may be more of it than that. */
  #torn = false

  constructor(file: FileHandle, path: string, length: number) {
    this.#file = file
    this.#path = path
    this.#length = length
  }

  async append(text: string): Promise<void> {
    await this.#cut()
    this.#torn = true
    const bytes = Buffer.from(text)
    try {
      for (let at = 0; at < bytes.length;)
        at += (await filling(this.#path, () => this.#file.write(bytes, at, bytes.length - at, this.#length + at))).bytesWritten
      this.#length += bytes.length
      this.#torn = false
    } catch (err) {
      // Whoever writes next tries once more.
      await this.#cut().catch(() => undefined)
      throw err
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #cut(): Promise<void> {
    if (!this.#torn) return
    await this.#file.truncate(this.#length)
    this.#torn = false
  }
}

/** @throws DiskFull where no room is left, on the disk or in the quota of our user */
async function filling<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    throw code === 'ENOSPC' || code === 'EDQUOT' ? new DiskFull({ path, cause: err }) : err
  }
}

/** Of this life of the machine. */
export const bootID = async (): Promise<string> => (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
