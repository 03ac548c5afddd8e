/** Turns what a handler gives into an answer: the declared properties, checked, and nothing else. */
import { hasDefault, type Operation, type Property, readValue, type Value } from '@nomen/core'
import { quoted } from '../../foundation/quoted.ts'
import type { Answer } from '../../message/answer.ts'
import type { Values } from '../../store/plan.ts'
import { withDefaults } from '../read/custom.ts'

/** Specialises the answering of one operation at start. What does not fit is a fault of the service, and is not shown. */
export function handlerAnswerWriter(operation: Operation): (given: unknown) => Answer {
  const { status, custom, method, path } = operation
  if (!custom?.answer) return () => ({ status, body: '' })
  const refuse: Refuse = (fault, fix) => {
    throw new Error(`What handles ${method} ${path} ${fault}. ${fix}`)
  }
  const shown = custom.isList ? listReader(custom.answer, refuse) : objectReader(custom.answer, refuse)
  return (given) => ({
    status,
    mediaType: 'application/json; charset=utf-8',
    body: JSON.stringify(shown(given, '')),
  })
}

type Refuse = (fault: string, fix: string) => never

function listReader(answer: readonly Property[], refuse: Refuse): (given: unknown) => readonly Values[] {
  const read = objectReader(answer, refuse)
  return (given) => {
    if (!Array.isArray(given))
      return refuse(`gives ${quoted(given)}`, 'Give a list; one that is empty where there is nothing.')
    // Not map(), which passes over what was never set.
    return Array.from(given, (one, at) => read(one, ` at ${at}`))
  }
}

/** `at` is where the object stands, for the message: nothing where it is all of the answer. */
function objectReader(answer: readonly Property[], refuse: Refuse): (given: unknown, at: string) => Values {
  const names = answer.map(({ name }) => name).join(', ')
  return (given, at) => {
    if (typeof given !== 'object' || given === null) return refuse(`gives ${quoted(given)}${at}`, `Give ${names}.`)
    const values: Record<string, Value> = {}
    for (const { name, spec } of answer) {
      const value = (given as Record<string, unknown>)[name]
      if (value === undefined) {
        if (!hasDefault(spec)) refuse(`gives no "${name}"${at}`, 'Give it, or declare it with a default.')
        continue
      }
      const reading = readValue(spec, value)
      if ('fault' in reading)
        return refuse(`gives ${name} ${quoted(value)}${at}, which ${reading.fault}`, 'Give one that fits.')
      values[name] = reading.value
    }
    return withDefaults(answer, values)
  }
}
