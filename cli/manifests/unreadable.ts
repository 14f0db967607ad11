const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a link that leads to itself',
  ENOTDIR: 'what it is said to be in is no folder',
}

/** What keeps a file from being read, in words. */
export function whyUnreadable(err: unknown): string {
  const { code = '', message } = err as NodeJS.ErrnoException
  return reasons[code] ?? message
}
