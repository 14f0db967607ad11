// Sends bodies to one server over kept connections.
import { Pool } from 'undici'

export interface Poster {
  /** Resolves when the answer is whole. @throws where it is not 201 */
  post(path: string, body: string): Promise<void>
  close(): Promise<void>
}

export function openPoster(url: string, token: string, connections: number): Poster {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return {
    async post(path, body) {
      const answer = await pool.request({ method: 'POST', path, body, headers })
      if (answer.statusCode === 201) return void (await answer.body.dump())
      throw new Error(`${answer.statusCode} ${await answer.body.text()}`)
    },
    close: () => pool.close(),
  }
}

/** Begins `task` so many times a second, whether those before have ended or not, and says what each took in milliseconds. */
export async function paced(perSecond: number, count: number, task: (i: number) => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const all: Promise<unknown>[] = []
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - began) * perSecond) / 1_000))
      while (all.length < due) all.push(task(all.length))
      if (all.length < count) return
      clearInterval(timer)
      done()
    }, 1)
  })
  await Promise.all(all)
}
