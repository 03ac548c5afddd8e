/** Asks questions on the terminal. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { CommandError } from '../command-error.ts'

export interface Terminal {
  readonly input: Readable
  readonly output: Writable
}

export interface Question {
  readonly text: string
  /** The default, for an empty answer. */
  readonly defaultAnswer: string
  /** Throws a CommandError if the answer is not accepted. */
  readonly check: (answer: string) => void
  /** Suggests an answer after an invalid one. The suggestion must be valid itself. */
  readonly suggest?: (answer: string) => string | undefined
}

/** The answers, in the order of the questions. Repeats a question until the answer is valid. */
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
  let { defaultAnswer } = question
  for (;;) {
    output.write(`${question.text} (${defaultAnswer}): `)
    const { value, done } = await lines.next()
    if (done) throw new CommandError('The input ended before the last question.', 'Use --yes for the defaults.', 1)
    const answer = value.trim() || defaultAnswer
    try {
      question.check(answer)
      return answer
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      output.write(`${error.message}\n`)
      defaultAnswer = suggestionFor(question, answer)
    }
  }
}

function suggestionFor({ suggest, check, defaultAnswer }: Question, answer: string): string {
  const suggestion = suggest?.(answer)
  try {
    if (suggestion === undefined) return defaultAnswer
    check(suggestion)
    return suggestion
  } catch {
    return defaultAnswer
  }
}
