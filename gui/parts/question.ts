// An answer of the server that is asked for by a button: what it said last, while it is asked again nothing.
import { useRef, useState } from 'preact/hooks'

interface QuestionState<T> {
  readonly answer?: T
  readonly err?: unknown
  readonly isAsking?: boolean
}

export interface Question<T> extends QuestionState<T> {
  readonly ask: (question: () => Promise<T>) => void
  readonly forget: () => void
}

export function useQuestion<T>(): Question<T> {
  const [state, setState] = useState<QuestionState<T>>({})
  const last = useRef(0)
  /** @returns sets what follows from it, unless something else was begun since */
  const begin = (first: QuestionState<T>): ((then: QuestionState<T>) => void) => {
    const number = ++last.current
    setState(first)
    return (then) => void (last.current === number && setState(then))
  }
  return {
    ...state,
    ask(question) {
      const settle = begin({ isAsking: true })
      question().then(
        (answer) => settle({ answer }),
        (err: unknown) => settle({ err }),
      )
    },
    forget: () => void begin({}),
  }
}
