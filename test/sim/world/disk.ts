// A machine's disk in memory: what was appended stays, whoever was killed.
import type { Disk } from '../../../agent/ledger/disk.ts'
import { DiskFull } from '../../../core/errors.ts'

/** Who has it is the machine's to say. */
export class MemoryDisk implements Omit<Disk, 'claim'> {
  /** Nothing more can be written. */
  full = false
  readonly #files = new Map<string, string>()

  read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.#files.get(path))
  }

  async replace(path: string, text: string): ReturnType<Disk['replace']> {
    this.#mustHaveRoom(path)
    this.#files.set(path, text)
    return this.resume(path, text)
  }

  resume(path: string, text: string): ReturnType<Disk['resume']> {
    this.#files.set(path, text)
    return Promise.resolve({
      append: async (more: string) => {
        this.#mustHaveRoom(path)
        this.#files.set(path, (this.#files.get(path) ?? '') + more)
      },
      close: () => Promise.resolve(),
    })
  }

  async rename(from: string, to: string): Promise<void> {
    this.#files.set(to, this.#files.get(from) ?? '')
    this.#files.delete(from)
  }

  async remove(path: string): Promise<void> {
    this.#files.delete(path)
  }

  #mustHaveRoom(path: string): void {
    if (this.full) throw new DiskFull({ path })
  }
}
