/** The commands in a page's fenced `sh` blocks, one a line. */
export function commandsOf(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```sh\n([^]*?)^```/gm)].map((match) => match[1] ?? '')
  const lines = blocks.flatMap((block) => block.replace(/\\\n\s*/g, '').split('\n'))
  return lines.map((line) => line.replace(/(^|\s)#.*$/, '').trim()).filter((line) => line !== '')
}

/** `npm start`, `npm test` and `npm run NAME`: which script; undefined for anything else. */
export function scriptOf(command: string): string | undefined {
  const [, short, long] = /^npm (?:(start|test)|run ([\w:-]+))(?= |$)/.exec(command) ?? []
  return short ?? long
}
