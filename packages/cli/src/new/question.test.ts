import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { CommandError } from '../command-error.ts'
import { ask, type Question } from './question.ts'

/** A person who types these lines and then no more, and what was shown. */
function person(...lines: readonly string[]) {
  const output = new PassThrough({ encoding: 'utf8' })
  const input = new PassThrough()
  input.end(lines.map((line) => `${line}\n`).join(''))
  return { terminal: { input, output }, shown: () => `${output.read() ?? ''}` }
}

const color: Question = { text: 'Color', defaultAnswer: 'blue', check: () => undefined }
const noun: Question = {
  text: 'Noun',
  defaultAnswer: 'item',
  check: (answer) => {
    if (answer.endsWith('s')) throw new CommandError(`"${answer}" is a plural.`, 'Name one.')
  },
  suggest: (answer) => (answer.endsWith('s') ? answer.slice(0, -1) : undefined),
}

describe('questions at a terminal', () => {
  it('accept one answer per line, and use the default for an empty line', async () => {
    const { terminal, shown } = person('  green ', '', 'red')
    expect(await ask(terminal, [color, color, color])).toEqual(['green', 'blue', 'red'])
    expect(shown()).toBe('Color (blue): '.repeat(3))
  })

  it('are repeated until the answer is valid, and suggest a valid one', async () => {
    const { terminal, shown } = person('tickets', '')
    expect(await ask(terminal, [noun])).toEqual(['ticket'])
    expect(shown()).toBe('Noun (item): "tickets" is a plural.\n  Name one.\nNoun (ticket): ')
  })

  it('end with an error and advice if the input ends', async () => {
    await expect(ask(person('green').terminal, [color, noun])).rejects.toThrow(
      'The input ended before the last question.\n  Use --yes for the defaults.',
    )
  })

  it('that are none read nothing', async () => {
    const { terminal } = person('green')
    expect(await ask(terminal, [])).toEqual([])
    expect(`${terminal.input.read()}`).toBe('green\n')
  })
})
