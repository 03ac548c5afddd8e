/** Turns what a handler gives into an answer: the declared properties, checked, and nothing else. */
import { hasDefault, type Operation, readValue, type Value } from '@nomen/core'
import type { Answer } from '../answer/write-answer.ts'
import { quoted } from '../quoted.ts'
import { withDefaults } from '../read/read-custom.ts'

/** Specialises the answering of one operation at start. What does not fit is a fault of the service, and is not shown. */
export function givenWriter(operation: Operation): (given: unknown) => Answer {
  const { status, custom, method, path } = operation
  const answer = custom?.answer
  if (!answer) return () => ({ status, body: '' })
  const wrong = (fault: string, mend: string) => new Error(`What handles ${method} ${path} ${fault}. ${mend}`)
  return (given) => {
    if (typeof given !== 'object' || given === null)
      throw wrong(`gives ${quoted(given)}`, `Give ${answer.map(({ name }) => name).join(', ')}.`)
    const values: Record<string, Value> = {}
    for (const { name, spec } of answer) {
      const value = (given as Record<string, unknown>)[name]
      if (value === undefined) {
        if (!hasDefault(spec)) throw wrong(`gives no "${name}"`, 'Give it, or declare it with a default.')
        continue
      }
      const reading = readValue(spec, value)
      if ('fault' in reading)
        throw wrong(`gives ${name} ${quoted(value)}, which ${reading.fault}`, 'Give one that fits.')
      values[name] = reading.value
    }
    return {
      status,
      mediaType: 'application/json; charset=utf-8',
      body: JSON.stringify(withDefaults(answer, values)),
    }
  }
}
