// A machine's disk in memory: what was appended stays, whoever was killed.
import type { Disk } from '../../../agent/ledger/disk.ts'

export class MemoryDisk implements Disk {
  readonly #files = new Map<string, string>()

  read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.#files.get(path))
  }

  replace(path: string, text: string): ReturnType<Disk['replace']> {
    this.#files.set(path, text)
    return this.resume(path, text)
  }

  resume(path: string, text: string): ReturnType<Disk['resume']> {
    this.#files.set(path, text)
    return Promise.resolve({
      append: async (more: string) => void this.#files.set(path, (this.#files.get(path) ?? '') + more),
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
}
