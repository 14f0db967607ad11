// A tar archive of small files (POSIX.1-1988, ustar), in memory.

export interface ArchivedFile {
  /** At most 100 bytes. */
  readonly path: string
  readonly text: string
}
const block = 512

/** @param seconds since 1970, of all files */
export function tar(files: readonly ArchivedFile[], seconds: number): Buffer {
  const parts = files.flatMap(({ path, text }) => {
    const bytes = Buffer.from(text)
    return [header(path, bytes.length, seconds), bytes, Buffer.alloc((block - (bytes.length % block)) % block)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
}

function header(path: string, size: number, seconds: number): Buffer {
  const made = Buffer.alloc(block)
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`
  made.write(path, 0, 100)
  made.write(octal(0o600, 8), 100)
  made.write(octal(0, 8), 108)
  made.write(octal(0, 8), 116)
  made.write(octal(size, 12), 124)
  made.write(octal(Math.floor(seconds), 12), 136)
  // The sum is taken with spaces where it stands itself.
  made.write('        ', 148)
  made.write('0', 156)
  made.write('ustar\x0000', 257)
  const sum = made.reduce((total, byte) => total + byte, 0)
  made.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return made
}
