/** Questions to the person at the terminal. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { CommandError } from '../command-error.ts'

export interface Terminal {
  readonly input: Readable
  readonly output: Writable
}

export interface Question {
  readonly text: string
  /** What an empty answer means. */
  readonly usual: string
  /** Throws a CommandError where the answer will not do; may offer another as the usual one. */
  readonly check: (answer: string) => void
  readonly better?: (answer: string) => string | undefined
}

/** The answers, in the order of the questions; each is asked until it will do. */
export async function ask({ input, output }: Terminal, questions: readonly Question[]): Promise<readonly string[]> {
  if (questions.length === 0) return []
  const reader = createInterface({ input, output })
  const lines = reader[Symbol.asyncIterator]()
  const answers: string[] = []
  try {
    for (const question of questions) answers.push(await answerTo(question, output, lines))
  } finally {
    reader.close()
  }
  return answers
}

async function answerTo(question: Question, output: Writable, lines: AsyncIterator<string>): Promise<string> {
  let { usual } = question
  for (;;) {
    output.write(`${question.text} (${usual}): `)
    const { value, done } = await lines.next()
    if (done) throw new CommandError('The answers ended.', '--yes takes the usual ones.', 1)
    const answer = value.trim() || usual
    try {
      question.check(answer)
      return answer
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      output.write(`${error.message}\n`)
      usual = question.better?.(answer) ?? question.usual
    }
  }
}
