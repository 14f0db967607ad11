/** SPIFFE-ID, section 2: a trust domain in lower case, a path of plain segments, at most 2048 bytes. */
export const isSpiffeId = (text: string): boolean =>
  text.length <= 2048 &&
  /^spiffe:\/\/[a-z0-9._-]{1,255}(\/[A-Za-z0-9._-]+)*$/.test(text) &&
  !text.split('/').some((part) => part === '.' || part === '..')
