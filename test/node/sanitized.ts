// What Node.js needs to load an addon that was built with the sanitizers.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The sanitizer's own library has to be there before Node.js is. */
export function libasan(): string | undefined {
  const path = execFileSync('gcc', ['-print-file-name=libasan.so'], { encoding: 'utf8' }).trim()
  return existsSync(path) ? path : undefined
}

const reported = 99

/** The environment of such a process: a report ends it. */
export const sanitizing = () => ({
  ASAN_OPTIONS: `detect_leaks=0:exitcode=${reported}:abort_on_error=0`,
  UBSAN_OPTIONS: `exitcode=${reported}:print_stacktrace=1`,
  LD_PRELOAD: libasan(),
})
